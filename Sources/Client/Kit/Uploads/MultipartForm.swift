import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A form (`multipart/form-data`, RFC 7578) with a file from the disk, which is streamed, and fields of text.
struct MultipartForm: Sendable {
    /// The largest picture beside the file, in bytes; it is held in memory.
    private static let maximumPicture = 16 << 20
    private static let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]

    /// The size of the file in bytes.
    let size: Int64
    private let path: String
    private let boundary: String
    private let head: ByteBuffer
    private let tail: ByteBuffer
    /// The length of the whole form in bytes.
    private let length: Int64

    /// - Parameters:
    ///   - path: The file, sent as the part `file`.
    ///   - name: The file name to send; `nil` for the file's own name.
    ///   - fields: The parts before the file; those without a value are omitted.
    ///   - picture: A small file before the other one, and the name of its part.
    /// - Throws: ``FeedClientError`` `.notFound` if there is no such file, `.disk` if it cannot be read, `.failed` if it
    ///   is not a regular file.
    init(
        _ path: String, name: String? = nil, fields: [(String, String?)] = [],
        picture: (field: String, path: String)? = nil
    ) throws(FeedClientError) {
        self.path = path
        size = try Self.size(of: path)
        boundary = "feedclient-" + UUID().uuidString
        var head = ByteBuffer()
        for case (let field, let value?) in fields {
            head.writeString(Self.partHead(boundary, field) + "\r\n\r\n\(value)\r\n")
        }
        if let picture {
            head.writeString(Self.fileHead(boundary, picture.field, Self.name(of: picture.path)))
            head.writeBytes(try Self.contents(ofPicture: picture.path))
            head.writeString("\r\n")
        }
        head.writeString(Self.fileHead(boundary, "file", name ?? Self.name(of: path)))
        self.head = head
        tail = ByteBuffer(string: "\r\n--\(boundary)--\r\n")
        length = try FeedClient.contentLength(
            of: path, size: size, framing: self.head.readableBytes + tail.readableBytes)
    }

    private static func partHead(_ boundary: String, _ field: String) -> String {
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field)\""
    }

    private static func fileHead(_ boundary: String, _ field: String, _ name: String) -> String {
        partHead(boundary, field) + "; filename=\"\(escaped(name))\"\r\nContent-Type: application/octet-stream\r\n\r\n"
    }

    private static func name(of path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    private static func contents(ofPicture path: String) throws(FeedClientError) -> Data {
        let data = try FileReader(path: path).contents(limit: maximumPicture)
        guard data.count <= maximumPicture else {
            throw FeedClientError(
                .failed, "\(path) is larger than \(maximumPicture >> 20) MiB", hint: "Make it smaller.")
        }
        return data
    }

    /// Makes the form the body of a request.
    /// - Parameter progress: Called with the number of bytes of the file that have been sent.
    func add(to request: inout HTTPClientRequest, progress: @escaping @Sendable (Int64) -> Void) {
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "multipart/form-data; boundary=" + boundary)
        let body = FileBody(path: path, size: size, head: head, tail: tail, progress: progress)
        request.body = .stream(body, length: .known(length))
    }

    /// The size of a regular file in bytes. Does not open it.
    static func size(of path: String) throws(FeedClientError) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw FileReader.failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileReader.notRegular(path) }
        return Int64(status.st_size)
    }

    /// Escapes a name as browsers do. Compares scalars, because a combining mark after a quote would hide it from a
    /// comparison by characters.
    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}

/// The body of an upload: a file between two pieces of text, read from the disk as needed.
struct FileBody: AsyncSequence, Sendable {
    private static let chunkSize = 256 * 1024

    let path: String
    let size: Int64
    let head: ByteBuffer
    let tail: ByteBuffer
    /// Called with the number of bytes that have been read.
    let progress: @Sendable (Int64) -> Void

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        private enum State { case head, file(FileReader, Int64), end }

        private let body: FileBody
        private var state = State.head

        init(body: FileBody) { self.body = body }

        mutating func next() async throws -> ByteBuffer? {
            switch state {
            case .head:
                state = .file(try FileReader(path: body.path), 0)
                return body.head
            case .file(_, let offset) where offset >= body.size:
                state = .end
                return body.tail
            case .file(let reader, let offset):
                let count = Int(Swift.min(Int64(FileBody.chunkSize), body.size - offset))
                let buffer = try await reader.read(count, at: offset)
                let end = offset + Int64(buffer.readableBytes)
                state = .file(reader, end)
                body.progress(end)
                return buffer
            case .end: return nil
            }
        }
    }
}

/// Reads an open file at offsets, without blocking an event loop.
final class FileReader: Sendable {
    private let descriptor: CInt
    private let path: String

    /// Opens a regular file that the user has named, through links if necessary. Nothing else is read: a named pipe would
    /// block.
    /// - Throws: ``FeedClientError`` `.notFound` if there is no such file, `.disk` if it cannot be read, `.failed` if it
    ///   is not a regular file.
    init(path: String) throws(FeedClientError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            // A socket cannot be opened.
            throw errno == ENXIO ? Self.notRegular(path) : Self.failure(path)
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw Self.notRegular(path)
        }
        (self.path, descriptor) = (path, file)
    }

    deinit { close(descriptor) }

    /// The whole file.
    /// - Returns: Somewhat more than `limit` bytes if there are more.
    /// - Throws: ``FeedClientError`` `.disk`.
    func contents(limit: Int) throws(FeedClientError) -> Data {
        try SystemCalls.system.contents(of: descriptor, path, limit: limit)
    }

    /// - Throws: ``FeedClientError`` `.disk`, including when the file has become shorter.
    func read(_ count: Int, at offset: Int64) async throws -> ByteBuffer {
        try await NIOSingletons.posixBlockingThreadPool.runIfActive { [self] in
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            let received = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                Swift.max(0, pread(descriptor, bytes.baseAddress, count, off_t(offset)))
            }
            guard received > 0 else {
                throw FeedClientError(
                    .disk, "\(path) became shorter while it was uploaded", hint: "Try again when it is complete.")
            }
            return buffer
        }
    }

    /// Describes the call on a file that the user has named, which has just failed with `errno`.
    static func failure(_ path: String) -> FeedClientError {
        let code: FeedClientError.Code = errno == ENOENT ? .notFound : .disk
        let failure = AtomicFile.failure("read", path)
        return FeedClientError(code, failure.message, hint: "Check the path.", cause: failure.cause)
    }

    static func notRegular(_ path: String) -> FeedClientError {
        FeedClientError(.failed, "\(path) is not a regular file", hint: "Upload files one by one.")
    }
}
