/// How a follow is to work.
package struct FollowOptions: Sendable, Equatable {
    /// Whether what the followed one boosts is shown at home.
    package var showsReblogs: Bool
    /// Whether the follower is told of each new status.
    package var notifies: Bool

    package init(showsReblogs: Bool = true, notifies: Bool = false) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
    }
}

/// What somebody asks for who follows; what is left out stays as it is.
package struct FollowUpdate: Sendable {
    package var showsReblogs: Bool?
    package var notifies: Bool?

    package init(showsReblogs: Bool? = nil, notifies: Bool? = nil) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
    }

    package func applied(to options: FollowOptions = FollowOptions()) -> FollowOptions {
        FollowOptions(
            showsReblogs: showsReblogs ?? options.showsReblogs, notifies: notifies ?? options.notifies)
    }
}
