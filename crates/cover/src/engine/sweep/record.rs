//! A sweep that keeps all states, as a diagram of all solutions.
//!
//! The layers are swept forwards, and the steps from each state to the next ones are kept. Then the states become nodes
//! from the last layer to the first. A state from which no solution is left is no node, and a state with one step is
//! part of the branch that leads there.

use super::layers::{Key, States};
use super::plan::Plan;
use crate::diagram::{Branch, DONE, DiagramBuilder, DiagramError, NONE, NodeId};
use crate::engine::Meter;

/// A state without a single step, in `via`.
const NO_STEP: u32 = u32::MAX;
/// States between two looks at the memory in use.
const MEMORY_CHECK_STATES: usize = 1024;

/// Steps from states to later states.
#[derive(Default)]
struct Steps {
    /// The option and the number of the next state.
    steps: Vec<(u32, u32)>,
    /// The steps of each state, by its number.
    of: Vec<[u32; 2]>,
    /// The numbers of the states in the order of their layers.
    order: Vec<u32>,
    /// The state behind the last item, if a solution leads there.
    last: Option<usize>,
}

/// The diagram of all solutions, and its root.
#[inline(never)]
pub(crate) fn record(
    plan: &Plan,
    meter: &mut Meter<'_>,
    memory: usize,
) -> Result<(DiagramBuilder, NodeId), DiagramError> {
    let steps = sweep(plan, meter, memory)?;
    build(&steps, memory)
}

fn sweep(plan: &Plan, meter: &mut Meter<'_>, memory: usize) -> Result<Steps, DiagramError> {
    let mut layers: Vec<States<u128>> = plan.layers.iter().map(|_| States::new()).collect();
    let mut steps = Steps { of: vec![[0; 2]], ..Steps::default() };
    layers[0].number(u128::MARK, 0);
    for index in 0..plan.layers.len() - 1 {
        let states = std::mem::replace(&mut layers[index], States::new());
        let layer = &plan.layers[index];
        for (place, &key) in states.keys.iter().enumerate().filter(|(_, key)| **key != u128::EMPTY) {
            if let Some(stop) = meter.node(index) {
                return Err(DiagramError::Stopped { end: stop.into() });
            }
            let first = steps.steps.len() as u32;
            for row in layer.rows.iter().filter(|row| key & row.test == 0) {
                let (mut next, mut at) = (key & !layer.done | row.set, index + 1);
                while next & plan.layers[at].covered != 0 {
                    next &= !plan.layers[at].done;
                    at += 1;
                }
                let number = layers[at].number(next, steps.of.len() as u64) as u32;
                if number as usize == steps.of.len() {
                    steps.of.push([0; 2]);
                }
                steps.steps.push((row.option, number));
            }
            let end = u32::try_from(steps.steps.len()).map_err(|_| DiagramError::TooLarge)?;
            let number = states.counts[place] as u32;
            steps.of[number as usize] = [first, end];
            steps.order.push(number);
            if steps.order.len().is_multiple_of(MEMORY_CHECK_STATES) {
                let tables: usize = layers[index..].iter().map(States::bytes).sum();
                check(tables + states.bytes() + steps.bytes(), memory)?;
            }
        }
    }
    let end = &layers[plan.layers.len() - 1];
    steps.last = end.keys.iter().position(|&key| key != u128::EMPTY).map(|place| end.counts[place] as usize);
    Ok(steps)
}

fn check(bytes: usize, memory: usize) -> Result<(), DiagramError> {
    if bytes > memory { Err(DiagramError::Memory { bytes: memory }) } else { Ok(()) }
}

impl Steps {
    fn bytes(&self) -> usize {
        8 * self.steps.capacity() + 8 * self.of.capacity() + 4 * self.order.capacity()
    }
}

/// Makes nodes of the states, the last ones first.
fn build(steps: &Steps, memory: usize) -> Result<(DiagramBuilder, NodeId), DiagramError> {
    let mut builder = DiagramBuilder::default();
    // For each state its node, or its single step.
    let (mut nodes, mut via) = (vec![NONE; steps.of.len()], vec![NO_STEP; steps.of.len()]);
    let mut options = Vec::new();
    if let Some(last) = steps.last {
        nodes[last] = DONE;
    }
    for (turn, &state) in steps.order.iter().enumerate().rev() {
        let [first, end] = steps.of[state as usize];
        let is_live = |step: &u32| {
            let next = steps.steps[*step as usize].1 as usize;
            nodes[next] != NONE || via[next] != NO_STEP
        };
        let mut live = (first..end).filter(is_live);
        match (live.next(), live.next()) {
            (None, _) => {}
            (Some(step), None) if state != 0 => via[state as usize] = step,
            (Some(_), _) => {
                builder.begin();
                for step in (first..end).filter(is_live) {
                    let node = follow(steps, &via, &nodes, step, &mut options);
                    builder.branch(Branch { options: &options, children: &[node] });
                }
                nodes[state as usize] = builder.end()?;
            }
        }
        if turn.is_multiple_of(MEMORY_CHECK_STATES) {
            check(steps.bytes() + 8 * nodes.len() + builder.bytes(), memory)?;
        }
    }
    Ok((builder, nodes[0]))
}

/// The node behind a step, and the options on the way there.
fn follow(steps: &Steps, via: &[u32], nodes: &[NodeId], mut step: u32, options: &mut Vec<u32>) -> NodeId {
    options.clear();
    loop {
        let (option, next) = steps.steps[step as usize];
        options.push(option);
        if via[next as usize] == NO_STEP {
            return nodes[next as usize];
        }
        step = via[next as usize];
    }
}
