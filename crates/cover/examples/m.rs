//! measure
use galop_cover::*;
use std::time::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let p = text::read(&std::fs::read(&a[1]).unwrap()).unwrap().problem;
    let k: usize = a[2].parse().unwrap();
    let t: f64 = a[3].parse().unwrap();
    let j: usize = a[4].parse().unwrap();
    let rank = if a.get(5).is_some() { Rank::Dearest } else { Rank::Cheapest };
    let mut s = p.solver().unwrap();
    s.set_threads(std::num::NonZero::new(j)).unwrap();
    let t0 = Instant::now();
    let mut last = None;
    let r = s
        .rank_and_watch(
            rank,
            k,
            &CoverLimits { deadline: Some(t0 + Duration::from_secs_f64(t)), ..CoverLimits::NONE },
            &mut |q: &RankProgress| {
                if std::env::var("V").is_ok() && last != q.best {
                    last = q.best;
                    eprintln!(
                        "{:.2}s {:.3} {:?} bound {:?}",
                        t0.elapsed().as_secs_f64(),
                        q.fraction,
                        q.best,
                        q.bound
                    );
                }
            },
        )
        .unwrap();
    println!(
        "{:?} best {:?} last {:?} n {} bound {:?} gap {:?} nodes {} {:.4}s",
        r.end,
        r.covers.first().map(|c| c.cost),
        r.covers.last().map(|c| c.cost),
        r.covers.len(),
        r.bound,
        r.gap(),
        r.nodes,
        t0.elapsed().as_secs_f64()
    );
}
