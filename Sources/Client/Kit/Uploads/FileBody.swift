import NIOCore

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
