public import FeedAPI

/// A status, decoded and as the server sent it.
public struct TimelineEntry: Sendable {
    public let status: Entity.Status
    /// The JSON object that the server sent.
    public let json: [UInt8]

    public init(status: Entity.Status, json: [UInt8]) {
        self.status = status
        self.json = json
    }
}

extension FeedClient {
    /// The status in a response.
    static func entry(_ response: Response) throws -> TimelineEntry {
        TimelineEntry(status: try response.decode(Entity.Status.self), json: response.bytes)
    }
}
