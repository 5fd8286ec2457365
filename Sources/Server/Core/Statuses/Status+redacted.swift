extension Status {
    /// The status without its content and counts, for a viewer who undoes a boost or a mark but may no longer see the
    /// status. It keeps the id, the author and the viewer's own marks, and is still a complete entity for clients.
    ///
    /// Mastodon returns the whole status here. Undoing an action that was never performed still results in 404.
    package var redacted: Status {
        var rest = Status(
            id: id, account: account.suspendedAt == nil ? account : account.redacted, createdAt: createdAt,
            visibility: visibility, text: "", content: "")
        rest.marks = marks
        rest.isBoostedByViewer = isBoostedByViewer
        return rest
    }
}

extension Account {
    /// The account without its profile.
    fileprivate var redacted: Account { Account(id: id, username: username, createdAt: createdAt) }
}
