/// The conversation that contains a status.
package struct StatusContext: Sendable, Equatable {
    /// From the start of the conversation to the status being replied to.
    package var ancestors: [Status]
    /// All replies; each is followed by the replies to it.
    package var descendants: [Status]

    package init(ancestors: [Status], descendants: [Status]) {
        self.ancestors = ancestors
        self.descendants = descendants
    }
}
