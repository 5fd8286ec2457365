/// The options of a follow.
package struct FollowOptions: Sendable, Equatable {
    /// Whether boosts by the followed account appear in the home timeline.
    package var showsReblogs: Bool
    /// Whether the follower is notified of each new status.
    package var notifies: Bool

    package init(showsReblogs: Bool = true, notifies: Bool = false) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
    }
}

/// A requested change to the options of a follow; `nil` leaves an option unchanged.
package struct FollowUpdate: Sendable {
    package var showsReblogs: Bool?
    package var notifies: Bool?

    package init(showsReblogs: Bool? = nil, notifies: Bool? = nil) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
    }

    /// The given options with the requested changes.
    package func applied(to options: FollowOptions = FollowOptions()) -> FollowOptions {
        FollowOptions(
            showsReblogs: showsReblogs ?? options.showsReblogs, notifies: notifies ?? options.notifies)
    }
}
