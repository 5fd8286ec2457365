/// The viewer and its relationship to the author.
enum Viewer: String, CaseIterable, Sendable {
    case nobody, stranger, follower, addressee, author
    /// Followed the author before the author blocked them; follows the booster.
    case blocked
    /// Blocks the author; follows the booster.
    case blocking
    /// Follows the author and mutes them; follows the booster.
    case muting
    /// Follows an account that boosts the author, but not the author.
    case fan
    /// Followed the author once, and favourited and bookmarked everything at the time.
    case former

    /// Whether this viewer may see a status of the author at all; `nil` if either is right.
    func sees(_ visibility: String) -> Bool? {
        switch (self, visibility) {
        case (.author, _), (.addressee, _): true
        case (.blocked, _): false
        // A viewer may read blocked accounts on purpose.
        case (.blocking, "public"), (.blocking, "unlisted"): nil
        case (_, "public"), (_, "unlisted"): true
        case (.follower, "private"), (.muting, "private"): true
        default: false
        }
    }
}

extension Place {
    /// The truth when the author is silenced.
    func silencedTruth(_ viewer: Viewer, _ visibility: String) -> Bool? {
        guard omitsSilenced, ![.author, .follower, .muting].contains(viewer) else {
            return truth(viewer, visibility)
        }
        return false
    }
}

/// A place that may show statuses.
struct Place: Sendable {
    enum Sign: Sendable {
        /// Whether the response contains the status.
        case holds
        /// Whether the response is 200 rather than 404.
        case succeeds
    }

    let name: String
    /// `{id}` is the status; without it, one response shows all statuses.
    let path: String
    var sign = Sign.holds
    /// The text that marks the statuses expected here.
    var mark = "main"
    /// Whether a request without a token is rejected.
    var needsLogin = false
    /// Whether this is a page.
    var isForPeople = false
    /// Whether this is a list of statuses by many authors, or of notifications: it omits a silenced author's entries
    /// for viewers who do not follow that author.
    var omitsSilenced = false
    let truth: @Sendable (Viewer, String) -> Bool?
}
