import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

extension FeedClient {
    /// Sends a file as a form, streamed from the disk.
    /// - Parameters:
    ///   - name: The name on the server; the file's own by default.
    ///   - progress: Is told how many bytes were sent.
    /// - Returns: What the server stored, under the name it gave.
    /// - Throws: ``FeedClientError``.
    public func upload(
        _ path: String, name: String? = nil, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> Entity.File {
        let size = try Self.size(of: path)
        let boundary = "feedclient-" + UUID().uuidString
        let head = Self.head(boundary, name: name ?? URL(fileURLWithPath: path).lastPathComponent)
        let tail = ByteBuffer(string: "\r\n--\(boundary)--\r\n")
        let length = try Self.length(of: path, size: size, framing: head.readableBytes + tail.readableBytes)
        let body = FileChunks(path: path, size: size, head: head, tail: tail, progress: progress)
        var request = request(Paths.files)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "multipart/form-data; boundary=" + boundary)
        request.body = .stream(body, length: .known(length))
        // No limit for the whole: a large file takes as long as it takes; a stall is noticed by the write timeout.
        let answer = try await transport.send(request, timeout: .hours(24))
        guard let file = try answer.decode(Entity.Files.self).files.first else {
            throw FeedClientError(.failed, "The server stored nothing")
        }
        guard file.size == size else {
            throw FeedClientError(.integrity, "The server stored \(file.size) of \(size) bytes", hint: "Try again.")
        }
        return file
    }

    private static func size(of path: String) throws(FeedClientError) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let error = DurableFile.failure("read", path)
            throw FeedClientError(errno == ENOENT ? .notFound : .disk, error.message, hint: "Check the path.")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FeedClientError(.failed, "\(path) is no file", hint: "Upload files one by one.")
        }
        return Int64(status.st_size)
    }

    /// Bytes of the whole body. A sparse file may be as large as numbers go.
    static func length(of path: String, size: Int64, framing: Int) throws(FeedClientError) -> Int64 {
        let (length, overflows) = size.addingReportingOverflow(Int64(framing))
        guard !overflows else {
            throw FeedClientError(.failed, "\(path) is too large to be sent", hint: "Upload a smaller file.")
        }
        return length
    }

    private static let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]

    /// The part's headers; the name as browsers write it.
    private static func head(_ boundary: String, name: String) -> ByteBuffer {
        // By scalars: a combining mark after a quote must not hide it.
        let safe = name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
        return ByteBuffer(
            string: "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(safe)\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n")
    }
}
