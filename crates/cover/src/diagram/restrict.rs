//! The diagram of the solutions that contain some options and not others.
//!
//! A branch with a forbidden option is dropped. An option that must occur is either among the options of a branch or in
//! exactly one of its children, which are independent. So that child is restricted, and the branch is dropped if no
//! child has the option. Each is one pass over the nodes.

use super::{Branch, Diagram, DiagramBuilder, DiagramError, NONE, NodeId};
use crate::OptionId;

impl Diagram {
    /// The diagram of the solutions that contain all options of `chosen` and none of `forbidden`.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, ExactCover, OptionId, diagram::Diagram};
    ///
    /// let problem: ExactCover = "a b c d\na b\nc d\na c\nb d\n".parse()?;
    /// let diagram = Diagram::build(&problem, &CoverLimits::NONE, None)?;
    /// assert_eq!(diagram.with(&[OptionId(0)], &[])?.count(), 1);
    /// assert_eq!(diagram.with(&[OptionId(0)], &[OptionId(1)])?.count(), 0);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// [`DiagramError::UnknownOption`], and [`DiagramError::TooLarge`] if it has too many nodes.
    pub fn with(&self, chosen: &[OptionId], forbidden: &[OptionId]) -> Result<Diagram, DiagramError> {
        let count = self.problem.option_count();
        if let Some(&option) = chosen.iter().chain(forbidden).find(|&&option| option.index() >= count) {
            return Err(DiagramError::UnknownOption { option, count });
        }
        let mut is_forbidden = vec![false; count];
        forbidden.iter().for_each(|&option| is_forbidden[option.index()] = true);
        let mut restricted = self.restricted(&is_forbidden, None)?;
        for &option in chosen {
            restricted = restricted.restricted(&is_forbidden, Some(option))?;
        }
        Ok(restricted)
    }

    /// The diagram of the solutions without forbidden options, and with `option` if it is given.
    fn restricted(&self, is_forbidden: &[bool], option: Option<OptionId>) -> Result<Diagram, DiagramError> {
        let mut builder = DiagramBuilder::default();
        let kinds = 1 + usize::from(option.is_some());
        // Of every node its solutions without forbidden options, and of these the solutions with the option.
        let mut images: Vec<[NodeId; 2]> = Vec::with_capacity(self.nodes.len());
        let mut children = Vec::new();
        for node in 0..self.nodes.len() {
            let mut image = [NONE; 2];
            for (kind, image) in image[..kinds].iter_mut().enumerate() {
                builder.begin();
                for branch in self.nodes.branches(node) {
                    if branch.options.iter().any(|&option| is_forbidden[option as usize]) {
                        continue;
                    }
                    children.clear();
                    children.extend(branch.children.iter().map(|&child| images[child as usize][0]));
                    if kind == 1 && !option.is_some_and(|option| branch.options.contains(&option.0)) {
                        let has_option = |&child: &NodeId| images[child as usize][1] != NONE;
                        let Some(place) = branch.children.iter().position(has_option) else { continue };
                        children[place] = images[branch.children[place] as usize][1];
                    }
                    builder.branch(Branch { options: branch.options, children: &children });
                }
                *image = builder.end()?;
            }
            images.push(image);
        }
        let root = images.last().map_or(NONE, |image| image[kinds - 1]);
        Ok(builder.finish(&self.problem, root))
    }
}
