import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

extension FeedClient {
    /// Uploads a file as a form, streamed from the disk.
    /// - Parameters:
    ///   - path: The file to upload.
    ///   - name: The name on the server; `nil` for the file's own name.
    ///   - progress: Called with the number of bytes that have been sent.
    /// - Returns: The stored file. The server may have chosen another name.
    /// - Throws: ``FeedClientError``.
    public func upload(
        _ path: String, name: String? = nil, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> Entity.File {
        let size = try Self.size(of: path)
        let boundary = "feedclient-" + UUID().uuidString
        let head = Self.partHeader(boundary, name: name ?? URL(fileURLWithPath: path).lastPathComponent)
        let tail = ByteBuffer(string: "\r\n--\(boundary)--\r\n")
        let length = try Self.contentLength(
            of: path, size: size, framing: head.readableBytes + tail.readableBytes)
        var request = request(Paths.files)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "multipart/form-data; boundary=" + boundary)
        let body = FileBody(path: path, size: size, head: head, tail: tail, progress: progress)
        request.body = .stream(body, length: .known(length))
        // Uploading a large file may take long. The write timeout detects a stalled connection.
        let response = try await transport.send(request, timeout: .hours(24))
        return try UploadVerification.verified(try response.decode(Entity.Files.self), size: size)
    }

    private static func size(of path: String) throws(FeedClientError) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let error = DurableFile.failure("read", path)
            throw FeedClientError(errno == ENOENT ? .notFound : .disk, error.message, hint: "Check the path.")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FeedClientError(.failed, "\(path) is not a regular file", hint: "Upload files one by one.")
        }
        return Int64(status.st_size)
    }

    /// The length of the whole body in bytes. The size of a sparse file may be close to the largest integer.
    static func contentLength(of path: String, size: Int64, framing: Int) throws(FeedClientError) -> Int64 {
        let (length, overflows) = size.addingReportingOverflow(Int64(framing))
        guard !overflows else {
            throw FeedClientError(.failed, "\(path) is too large to be uploaded", hint: "Upload a smaller file.")
        }
        return length
    }

    private static let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]

    /// The header of the form's part; the name is escaped as browsers do.
    private static func partHeader(_ boundary: String, name: String) -> ByteBuffer {
        // Compares scalars, because a combining mark after a quote would hide it from a comparison by characters.
        let escaped = name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
        return ByteBuffer(
            string: "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(escaped)\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n")
    }
}
