/// Who looks, and what they are to the author.
enum Viewer: String, CaseIterable, Sendable {
    case nobody, stranger, follower, addressee, author
    /// Followed the author before the author blocked them; follows the booster.
    case blocked
    /// Blocks the author; follows the booster.
    case blocking
    /// Follows the author and mutes them; follows the booster.
    case muting
    /// Follows somebody who boosts the author, not the author.
    case fan
    /// Followed the author once, and favourited and bookmarked everything then.
    case former

    /// Whether this viewer may see a status of the author at all. Nil where either is right.
    func sees(_ visibility: String) -> Bool? {
        switch (self, visibility) {
        case (.author, _), (.addressee, _): true
        case (.blocked, _): false
        // Whom one blocks may be looked at on purpose.
        case (.blocking, "public"), (.blocking, "unlisted"): nil
        case (_, "public"), (_, "unlisted"): true
        case (.follower, "private"), (.muting, "private"): true
        default: false
        }
    }
}

/// What is shown where.
struct Place: Sendable {
    enum Sign: Sendable {
        /// The status is in the answer.
        case holds
        /// The answer is 200, else 404.
        case answers
    }

    let name: String
    /// `{id}` is the status; without it one answer shows all statuses.
    let path: String
    var sign = Sign.holds
    /// Which text marks the statuses that are looked for here.
    var mark = "main"
    /// Whether a stranger without a token is turned away.
    var needsLogin = false
    var isForPeople = false
    let truth: @Sendable (Viewer, String) -> Bool?
}
