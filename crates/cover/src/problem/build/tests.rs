//! Builders: names and numbers, colours, costs, and what is refused where.

use super::*;
use crate::Colour;

/// Items a, b (0:2), x, y.
fn items() -> Builder {
    let mut builder = ExactCover::builder();
    builder.primary("a");
    builder.primary_with_bounds("b", 0, 2);
    builder.secondary("x");
    builder.secondary("y");
    builder
}

#[test]
fn names_and_numbers_mean_the_same() {
    let (mut named, mut numbered) = (items(), items());
    assert_eq!(named.option(["a", "x:red", "y"]), 0);
    assert_eq!(named.option_with_cost([TermRef::from(("x", "blue")), "b".into(), ("y", "red").into()], 3), 1);
    named.option_with_colours(["b"], [("x", 7)]);
    numbered.option([ItemId(0).into(), (ItemId(2), "red").into(), TermRef::from(ItemId(3))]);
    numbered.option_with_cost(
        [(ItemId(2), "blue").into(), TermRef::from(ItemId(1)), (ItemId(3), "red").into()],
        3,
    );
    numbered.option_with_colours([ItemId(1)], [(ItemId(2), 7)]);
    let problem = named.finish().unwrap();
    assert_eq!(numbered.finish(), Ok(problem.clone()));
    assert_eq!(problem.option_text(OptionId(1)).to_string(), "x:blue b y:red");
    assert_eq!((problem.cost(OptionId(0)), problem.cost(OptionId(1)), problem.cost(OptionId(2))), (0, 3, 0));
    assert_eq!(
        (problem.bounds(ItemId(0)), problem.bounds(ItemId(1))),
        (Bounds::ONCE, Bounds { low: 0, high: 2 })
    );
    assert_eq!(problem.option(OptionId(0))[1], Term { item: ItemId(2), colour: 1 });
    assert_eq!(
        (problem.colour_name(Colour(2)), problem.colour_name(Colour(0)), problem.item_name(ItemId(9))),
        ("blue", "", "")
    );
}

#[test]
fn the_first_error_is_returned() {
    let fails = |build: &dyn Fn(&mut Builder)| {
        let mut builder = items();
        build(&mut builder);
        builder.option(["never", "there"]);
        builder.finish().unwrap_err()
    };
    let text = String::from;
    assert_eq!(ExactCover::builder().finish(), Err(BuildError::in_item(Fault::NoItems)));
    let of_items: [(fn(&mut Builder) -> ItemId, Fault); 3] = [
        (|builder| builder.primary("c"), Fault::LatePrimary(text("c"))),
        (|builder| builder.secondary("a"), Fault::DuplicateItem(text("a"))),
        (|builder| builder.secondary(""), Fault::NoName),
    ];
    for (build, fault) in of_items {
        let error = fails(&|builder| {
            build(builder);
        });
        assert_eq!((error.option, error.fault), (None, fault));
    }
    for (terms, fault) in [
        (&["a", "c"][..], Fault::UnknownItem(text("c"))),
        (&["a", "x", "x:1"], Fault::ItemTwice(text("x"))),
        (&["a:1"], Fault::ColourOnPrimary(text("a"))),
        (&["a", "x:"], Fault::NoColour(text("x"))),
        (&["x", "y"], Fault::NoPrimary),
        (&[], Fault::NoPrimary),
    ] {
        let error = fails(&|builder| {
            builder.option(terms.iter().copied());
        });
        assert_eq!((error.option, error.fault), (Some(OptionId(0)), fault));
    }
    let error = fails(&|builder| {
        builder.option([ItemId(4)]);
    });
    assert_eq!(error.fault, Fault::UnknownNumber { item: ItemId(4), count: 4 });
    let bounds = |low, high| {
        let mut builder = ExactCover::builder();
        builder.primary_with_bounds("a", low, high);
        builder.finish().unwrap_err().fault
    };
    assert_eq!(bounds(0, 0), Fault::HighZero(text("a")));
    assert_eq!(bounds(3, 2), Fault::LowAboveHigh { name: text("a"), low: 3, high: 2 });
}

/// An error that comes late says where in the program it was caused.
#[test]
fn a_kept_error_names_the_call() {
    let mut builder = items();
    let line = line!() + 1;
    builder.primary("a");
    let error = builder.try_option(["a"], 0).unwrap_err();
    let place = format!("{}:{line}:", file!());
    assert!(error.to_string().starts_with(&place), "{error}");
    assert_eq!(builder.finish(), Err(error));
    for late in [
        |builder: &mut Builder| _ = builder.option(["z"]),
        |builder: &mut Builder| _ = builder.secondary_items(3),
    ] {
        let mut builder = items();
        builder.secondary("5");
        late(&mut builder);
        assert_eq!(builder.finish().unwrap_err().location.map(Location::file), Some(file!()));
    }
}

#[test]
fn items_and_options_that_are_tried_are_refused_at_once() {
    let mut builder = ExactCover::builder();
    assert_eq!(builder.try_primary("a", 1, 2), Ok(ItemId(0)));
    assert_eq!(builder.try_primary("b", 0, 0), Err(BuildError::in_item(Fault::HighZero("b".into()))));
    assert_eq!(builder.try_secondary("a"), Err(BuildError::in_item(Fault::DuplicateItem("a".into()))));
    assert_eq!(builder.try_secondary("x"), Ok(ItemId(1)));
    assert_eq!(builder.try_primary("c", 1, 1), Err(BuildError::in_item(Fault::LatePrimary("c".into()))));
    assert_eq!(builder.try_option(["x"], 0).unwrap_err().fault, Fault::NoPrimary);
    assert_eq!(builder.try_option(["a", "x:1"], 2), Ok(OptionId(0)));
    let problem = builder.finish().unwrap();
    assert_eq!((problem.item_count(), problem.option_count(), problem.cost(OptionId(0))), (2, 1, 2));
}

#[test]
fn any_text_is_a_name() {
    let mut builder = ExactCover::builder();
    let (room, meeting) = (builder.primary("room of maths"), builder.primary("10:30"));
    let (line, clash) = (builder.secondary("a|b"), builder.secondary("10"));
    builder.option(["room of maths", "a|b:dark red"]);
    builder.option(["10:30", "10:15"]);
    builder.option_with_colours(["10:30"], [("a|b", "dark red")]);
    let problem = builder.finish().unwrap();
    let terms = |option| problem.option(option).iter().map(|term| term.item).collect::<Vec<_>>();
    assert_eq!(
        [terms(OptionId(0)), terms(OptionId(1)), terms(OptionId(2))],
        [vec![room, line], vec![meeting, clash], vec![meeting, line]]
    );
    assert_eq!(problem.option(OptionId(0))[1].colour(), problem.option(OptionId(2))[1].colour());
    assert_eq!(problem.option_text(OptionId(1)).to_string(), "10:30 10:15");
}

#[test]
fn colours_are_texts_or_numbers() {
    let mut builder = ExactCover::builder();
    let (a, x) = (builder.primary("a"), builder.secondary("x"));
    builder.option_with_colours([a], [(x, 0)]);
    builder.option_with_colours([a], [(x, u32::MAX)]);
    builder.option(["a", "x:4294967295"]);
    let problem = builder.finish().unwrap();
    let colours: Vec<_> = problem.options().map(|terms| (terms[0].colour(), terms[1].colour())).collect();
    assert_eq!(colours, [1, 2, 2].map(|colour| (None, Some(Colour(colour)))));
    assert_eq!((problem.colour_name(Colour(1)), problem.colour_name(Colour(2))), ("0", "4294967295"));
}

#[test]
fn lists_of_numbers_make_a_problem() {
    let problem = ExactCover::from_options(2, 1, [vec![0, 2], vec![2, 1], vec![1]]).unwrap();
    assert_eq!((problem.primary_count(), problem.item_count(), problem.option_count()), (2, 3, 3));
    assert_eq!(problem.option_text(OptionId(1)).to_string(), "2 1");
    assert_eq!(problem.solve().unwrap(), Some(vec![OptionId(0), OptionId(2)]));
    let refused = |options: &[&[u32]]| ExactCover::from_options(2, 1, options).unwrap_err();
    assert_eq!(refused(&[&[0], &[3]]).fault, Fault::UnknownNumber { item: ItemId(3), count: 3 });
    assert_eq!(
        refused(&[&[0], &[2]]),
        BuildError { option: Some(OptionId(1)), fault: Fault::NoPrimary, location: None }
    );
    assert_eq!(refused(&[&[0, 1, 0]]).fault, Fault::ItemTwice("0".into()));
    assert_eq!(ExactCover::from_options(0, 3, [[0]]).unwrap_err().option, Some(OptionId(0)));
    assert_eq!(ExactCover::from_options(0, 0, [[0; 0]; 0]).unwrap_err().fault, Fault::NoItems);
}
