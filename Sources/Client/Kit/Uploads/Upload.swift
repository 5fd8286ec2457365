import AsyncHTTPClient
public import FeedAPI
import NIOCore

extension FeedClient {
    /// Uploading a large file may take long. The write timeout detects a stalled connection.
    static let uploadTimeout = TimeAmount.hours(24)

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
        let form = try FileForm(path, name: name)
        var request = request(Paths.files)
        form.add(to: &request, progress: progress)
        let response = try await explainingFiles(isUpload: true) { [request] in
            try await transport.send(request, timeout: Self.uploadTimeout)
        }
        return try UploadVerification.verified(try response.decode(Entity.Files.self), size: form.size)
    }

    /// The length of the whole body in bytes. The size of a sparse file may be close to the largest integer.
    static func contentLength(of path: String, size: Int64, framing: Int) throws(FeedClientError) -> Int64 {
        let (length, overflows) = size.addingReportingOverflow(Int64(framing))
        guard !overflows else {
            throw FeedClientError(.failed, "\(path) is too large to be uploaded", hint: "Upload a smaller file.")
        }
        return length
    }
}
