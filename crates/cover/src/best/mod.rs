//! x
mod costs; mod list; mod prices; mod search; mod state;
/// x
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank { /// x
 Cheapest, /// y
 Dearest }
pub fn run(problem: &crate::ExactCover, tune: &[f64], secs: f64) {
    let t = std::time::Instant::now();
    let mut s = search::Search::new(problem, Rank::Cheapest, 1);
    for (i, v) in tune.iter().enumerate() { s.tune[i] = *v; }
    let mut meter = crate::engine::Meter::new(u64::MAX, Some(t + std::time::Duration::from_secs_f64(secs)), None);
    let stop = s.run(&mut meter);
    println!("{:?} best {:?} nodes {} {:.4}s", stop, s.covers().first().map(|c| c.cost), meter.nodes, t.elapsed().as_secs_f64());
}
