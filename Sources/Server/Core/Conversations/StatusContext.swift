/// The conversation around a status.
package struct StatusContext: Sendable, Equatable {
    /// From the conversation's start down to what the status answers.
    package var ancestors: [Status]
    /// Replies, each followed by its own replies.
    package var descendants: [Status]

    package init(ancestors: [Status], descendants: [Status]) {
        self.ancestors = ancestors
        self.descendants = descendants
    }
}
