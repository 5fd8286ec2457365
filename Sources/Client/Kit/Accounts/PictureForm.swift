import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A form whose pictures are small enough to be read into memory, so that a single request makes all changes.
struct PictureForm {
    /// The maximum size of a picture in bytes; servers accept less.
    private static let maximumSize = 16 << 20

    private let boundary = "feedclient-" + UUID().uuidString
    private var body = ByteBuffer()

    /// Whether there is nothing to send.
    var isEmpty: Bool { body.readableBytes == 0 }

    mutating func addField(_ name: String, _ value: String) {
        addHead("name=\"\(name)\"")
        body.writeString(value + "\r\n")
    }

    /// - Throws: ``FeedClientError`` `.notFound` if there is no such file, `.disk` if it cannot be read, `.failed` if it
    ///   is not a regular file or too large.
    mutating func addFile(_ path: String, as name: String) throws(FeedClientError) {
        let content = try FileReader(path: path).contents(limit: Self.maximumSize)
        guard content.count <= Self.maximumSize else {
            throw FeedClientError(
                .failed, "\(path) is larger than \(Self.maximumSize >> 20) MiB", hint: "Choose a smaller picture.")
        }
        addHead("name=\"\(name)\"; filename=\"\(name)\"\r\nContent-Type: application/octet-stream")
        body.writeBytes(content)
        body.writeString("\r\n")
    }

    private mutating func addHead(_ parameters: String) {
        body.writeString("--\(boundary)\r\nContent-Disposition: form-data; \(parameters)\r\n\r\n")
    }

    /// Makes the form the body of a request.
    func add(to request: inout HTTPClientRequest) {
        var body = body
        body.writeString("--\(boundary)--\r\n")
        request.headers.add(name: "Content-Type", value: "multipart/form-data; boundary=" + boundary)
        request.body = .bytes(body)
    }
}
