/// Where live entries come from.
struct LiveSource<Entry: Sendable>: Sendable {
    /// Entries of a timeline, the newest one first.
    struct Page {
        let entries: [Entry]
        /// The id after which the next page begins, if the server states it.
        let next: String?
    }

    let events: StreamEvents
    let id: @Sendable (Entry) -> String
    /// The new entry in an event.
    let entry: @Sendable (StreamEvent.Content) -> Entry?
    /// A number of the newest entries.
    let newest: @Sendable (_ count: Int) async throws -> [Entry]
    /// The entries that directly follow an id.
    let page: @Sendable (_ after: String) async throws -> Page
}
