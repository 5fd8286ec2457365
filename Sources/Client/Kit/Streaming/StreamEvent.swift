/// An event of a stream.
public struct StreamEvent: Sendable {
    /// What has happened.
    public enum Content: Sendable {
        /// The stream has been opened, or events may have been missed. The reader must now load the content of
        /// the stream, such as the page of a timeline: only changes from now on arrive as events.
        case resync
        /// A new status.
        case update(TimelineEntry)
        /// A status has been edited.
        case statusUpdate(TimelineEntry)
        /// A status has been deleted; its id.
        case delete(String)
        case notification(NotificationEntry)
        /// A conversation has a new status; a Conversation entity as JSON.
        case conversation(json: [UInt8])
        /// The filters of this account have changed.
        case filtersChanged
        /// An event that is unknown to the library, or that could not be decoded.
        case other(type: String, payload: String)
    }

    public let content: Content
    /// The position in the stream after this event, if the server has positions.
    public let position: String?

    public init(_ content: Content, position: String? = nil) {
        (self.content, self.position) = (content, position)
    }
}
