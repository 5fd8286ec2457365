extension Status {
    /// For who did something with it while it could be seen, and takes that back now that it cannot: which status it is, whose,
    /// and what of the viewer's is left on it. What it says (also what it was changed to since) and how others took it is
    /// left out; programs still get a whole Status, so that they show what was done.
    package var withheld: Status {
        var rest = Status(
            id: id, account: account.suspendedAt == nil ? account : account.withheld, createdAt: createdAt,
            visibility: visibility, text: "", content: "")
        rest.marks = marks
        rest.isBoostedByViewer = isBoostedByViewer
        return rest
    }
}

extension Account {
    /// Nothing but who it is.
    fileprivate var withheld: Account { Account(id: id, username: username, createdAt: createdAt) }
}
