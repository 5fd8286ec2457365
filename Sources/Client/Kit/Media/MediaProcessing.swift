import AsyncHTTPClient
public import FeedAPI

extension FeedClient {
    /// The state of an uploaded media file. Its `url` is `nil` while the server processes it.
    /// - Throws: ``FeedClientError``; `.failed` if the file cannot be processed.
    public func media(_ id: String) async throws -> Entity.MediaAttachment {
        try await transport.send(request(Self.path(ofMedia: id))).decode(Entity.MediaAttachment.self)
    }

    static func path(ofMedia id: String) -> String { Paths.media + "/" + percentEncoded(id) }

    /// Waits until the server has processed a file.
    /// - Parameter pauses: The pauses before each question.
    /// - Throws: ``FeedClientError`` `.tryLater` if it has not been processed after the last one.
    func processed(
        _ uploaded: Entity.MediaAttachment, pauses: [Duration]
    ) async throws -> Entity.MediaAttachment {
        var media = uploaded
        for pause in pauses where media.url == nil {
            try await Task.sleep(for: pause)
            media = try await self.media(uploaded.id)
        }
        guard media.url != nil else {
            throw FeedClientError(
                .tryLater, "The server has not processed the file in time", hint: "Try again later.")
        }
        return media
    }
}

/// The pauses between the questions whether a file has been processed. Pure.
enum ProcessingPauses {
    private static let first = 250
    private static let longest = 5000
    private static let count = 64

    /// Pauses that double, up to five seconds; five minutes altogether.
    static let standard = (0..<count).map { Duration.milliseconds(min(longest, first << min($0, 8))) }
}
