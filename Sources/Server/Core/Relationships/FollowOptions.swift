/// The options of a follow.
package struct FollowOptions: Sendable, Equatable {
    /// Whether boosts by the followed account appear in the home timeline.
    package var showsReblogs: Bool
    /// Whether the follower is notified of each new status.
    package var notifies: Bool
    /// The languages of the statuses that appear in the home timeline; empty for all.
    package var languages: [String]

    package init(showsReblogs: Bool = true, notifies: Bool = false, languages: [String] = []) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
        self.languages = languages
    }
}

/// A requested change to the options of a follow; `nil` leaves an option unchanged.
package struct FollowUpdate: Sendable {
    package var showsReblogs: Bool?
    package var notifies: Bool?
    /// Checked by ``FollowRule/languages(_:)``.
    package var languages: [String]?

    package init(showsReblogs: Bool? = nil, notifies: Bool? = nil, languages: [String]? = nil) {
        self.showsReblogs = showsReblogs
        self.notifies = notifies
        self.languages = languages
    }

    /// The given options with the requested changes.
    package func applied(to options: FollowOptions = FollowOptions()) -> FollowOptions {
        FollowOptions(
            showsReblogs: showsReblogs ?? options.showsReblogs, notifies: notifies ?? options.notifies,
            languages: languages ?? options.languages)
    }
}
