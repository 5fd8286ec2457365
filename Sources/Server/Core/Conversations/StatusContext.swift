/// The conversation that contains a status.
package struct StatusContext: Sendable, Equatable {
    /// From the start of the conversation to the status being replied to.
    package var ancestors: [Status]
    /// All replies; each is followed by the replies to it.
    package var descendants: [Status]
    /// The statuses between them that the viewer may not see, although replies to them are shown.
    package var hidden: Set<Int64>

    package init(ancestors: [Status], descendants: [Status], hidden: Set<Int64> = []) {
        self.ancestors = ancestors
        self.descendants = descendants
        self.hidden = hidden
    }
}
