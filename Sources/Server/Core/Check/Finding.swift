/// A problem that `feedserver check` has found.
package struct Finding: Sendable, Equatable {
    /// The problem, in words for people.
    package var text: String
    /// The remedy, in words for people.
    package var remedy: String
    package var isRepaired = false

    package init(_ text: String, remedy: String, isRepaired: Bool = false) {
        self.text = text
        self.remedy = remedy
        self.isRepaired = isRepaired
    }
}

extension Finding {
    /// The remedy for damage that `--repair` can repair.
    package static let repair = "Run feedserver check --repair."
    /// The remedy for a damaged database.
    package static let restore = "Stop the server, keep a copy of the folder, and restore a backup."
}
