/// Where live entries come from.
struct LiveSource<Entry: Sendable>: Sendable {
    /// An entry that is not needed yet. Its JSON takes much less memory than what it is decoded to.
    struct Waiting: Sendable {
        let id: String
        let json: [UInt8]
    }

    /// Entries of a timeline, the newest one first.
    struct Page {
        let entries: [Waiting]
        /// The id after which the next page begins, if the server states it.
        let next: String?
    }

    let events: StreamEvents
    let id: @Sendable (Entry) -> String
    /// The new entry in an event.
    let entry: @Sendable (StreamEvent.Content) -> Entry?
    /// A number of the newest entries.
    let newest: @Sendable (_ count: Int) async throws -> [Waiting]
    /// Decodes the JSON of an entry.
    let decode: @Sendable (_ json: [UInt8]) -> Entry?
    /// The entries that directly follow an id.
    let page: @Sendable (_ after: String) async throws -> Page
}
