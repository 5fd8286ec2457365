import AsyncHTTPClient
public import FeedAPI
import Foundation
import NIOCore
import NIOHTTP1

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
        if case .classic(let username, let password) = credential {
            return try await uploadClassic(
                form, name ?? URL(fileURLWithPath: path).lastPathComponent, username, password, progress)
        }
        var request = request(Paths.files)
        form.add(to: &request, progress: progress)
        let response = try await explainingFiles(isUpload: true) { [request] in
            try await transport.send(request, timeout: Self.uploadTimeout)
        }
        return try UploadVerification.verified(try response.decode(Entity.Files.self), size: form.size)
    }

    /// Uploads a file in the classic dialect. Servers of 2014 respond with anything; feedserver describes the file.
    private func uploadClassic(
        _ form: FileForm, _ name: String, _ username: String, _ password: String,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> Entity.File {
        var request = request(Paths.classicUpload, query: [("file", name)])
        let secret = Data("\(username):\(password)".utf8).base64EncodedString()
        request.headers.add(name: "Authorization", value: "Basic " + secret)
        form.add(to: &request, progress: progress)
        let response = try await transport.send(request, timeout: Self.uploadTimeout)
        if let files = try? response.decode(Entity.Files.self) {
            return try UploadVerification.verified(files, size: form.size)
        }
        return Entity.File(
            name: name, size: form.size, type: "application/octet-stream", modified: "", sha256: "",
            url: address(ofFile: name))
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

extension FeedClient {
    /// Uploads a file under exactly this name, streamed from the disk, in place of a file of this account that already
    /// has the name.
    /// - Parameters:
    ///   - path: The file to upload.
    ///   - name: The name on the server; `nil` for the file's own name.
    ///   - progress: Called with the number of bytes that have been sent.
    /// - Returns: The stored file, as the server describes it afterwards.
    /// - Throws: ``FeedClientError``; `.unauthorized` if the name belongs to another account, `.integrity` if the server
    ///   stored another number of bytes.
    public func replaceFile(
        with path: String, name: String? = nil, progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> Entity.File {
        let size = try FileForm.size(of: path)
        let name = name ?? URL(fileURLWithPath: path).lastPathComponent
        var request = request(Paths.files + "/" + Self.percentEncoded(name))
        request.method = .PUT
        let body = FileBody(path: path, size: size, head: ByteBuffer(), tail: ByteBuffer(), progress: progress)
        request.body = .stream(body, length: .known(size))
        _ = try await explainingFiles(isUpload: true) { [request] in
            try await transport.send(request, timeout: Self.uploadTimeout)
        }
        return try UploadVerification.verified(try await file(named: name), size: size)
    }

    /// The description of a stored file, from the headers of its response.
    private func file(named name: String) async throws -> Entity.File {
        var request = request(Paths.files + "/" + Self.percentEncoded(name))
        request.method = .HEAD
        let headers = try await transport.send(request).headers
        let modified = headers.first(name: "Last-Modified").flatMap(HTTPDate.seconds)
        return Entity.File(
            name: name, size: headers.first(name: "Content-Length").flatMap { Int64($0) } ?? -1,
            type: headers.first(name: "Content-Type") ?? "application/octet-stream",
            modified: modified.map { ISO8601.text(milliseconds: $0 * 1000) } ?? "",
            sha256: ReprDigest.sha256(headers) ?? "", url: address(ofFile: name))
    }
}

/// Compares the sent data with the data that the server reports as stored.
enum UploadVerification {
    /// The stored file, from the response to an upload.
    /// - Parameter size: The number of bytes that were sent.
    /// - Throws: ``FeedClientError`` `.failed` if nothing was stored, `.integrity` if the sizes differ.
    static func verified(_ stored: Entity.Files, size: Int64) throws(FeedClientError) -> Entity.File {
        guard let file = stored.files.first else {
            throw FeedClientError(.failed, "The server did not store the file")
        }
        return try verified(file, size: size)
    }

    /// The stored file.
    /// - Throws: ``FeedClientError`` `.integrity` if it does not have the size in bytes that was sent.
    static func verified(_ file: Entity.File, size: Int64) throws(FeedClientError) -> Entity.File {
        guard file.size == size else {
            throw FeedClientError(.integrity, "The server stored \(file.size) of \(size) bytes", hint: "Try again.")
        }
        return file
    }
}
