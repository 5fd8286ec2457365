import AsyncHTTPClient
import FeedAPI
import NIOCore

extension FeedClient {
    /// The conversation around a status. For a boost, the conversation around the boosted status.
    /// - Throws: ``FeedClientError``.
    public func thread(of id: String) async throws -> StatusThread {
        let entry = try await status(id)
        let shown = entry.status.reblog?.value.id ?? entry.status.id
        let path = Paths.statuses + "/" + Self.percentEncoded(shown) + "/context"
        let response = try await transport.send(request(path))
        return StatusThread(
            ancestors: try entries("ancestors", of: response), status: entry,
            descendants: try entries("descendants", of: response))
    }

    /// The statuses in a member of a response; none if it is missing.
    private func entries(_ member: String, of response: Response) throws -> [TimelineEntry] {
        guard let json = JSONText.member(member, of: response.bytes) else { return [] }
        let list = Response(headers: response.headers, body: ByteBuffer(bytes: json))
        return try elements(of: list, as: Entity.Status.self).compactMap { element in
            element.value.map { TimelineEntry(status: $0, json: element.json) }
        }
    }
}
