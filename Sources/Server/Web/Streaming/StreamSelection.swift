import FeedCore

/// A stream that a client has asked for, and where it continues.
struct StreamSelection: Sendable, Equatable {
    var stream: StreamName
    /// The hashtag as the client has written it.
    var tag: String?
    /// The position of the last event that the client has received; `nil` for new events only.
    var since: ChangeCursor?

    /// From the query of a request, or from a message of a WebSocket.
    /// - Throws: ``FeedError`` `.malformed` for an unknown stream, or a missing or malformed parameter.
    init(_ values: InputValues) throws(FeedError) {
        try self.init(StreamName(values["stream"] ?? "", Self.parameters(values)), values)
    }

    /// - Parameter path: The part of the path that names the stream.
    init(path: String, _ values: InputValues) throws(FeedError) {
        try self.init(StreamName(path: path, Self.parameters(values)), values)
    }

    private init(_ stream: StreamName, _ values: InputValues) throws(FeedError) {
        self.stream = stream
        tag = values["tag"].map { $0.unicodeScalars.first == "#" ? String($0.unicodeScalars.dropFirst()) : $0 }
        if let text = values["since"], !text.isEmpty { since = try ChangeCursor(text) }
    }

    private static func parameters(_ values: InputValues) -> StreamName.Parameters {
        .init(tag: values["tag"], list: values["list"], onlyMedia: values.flag("only_media") ?? false)
    }

    /// The member `stream` of WebSocket messages.
    var array: [String] { stream.array(tag: tag) }
}
