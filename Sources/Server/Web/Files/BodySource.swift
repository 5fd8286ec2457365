import FeedFiles
import Foundation
import NIOCore

/// The source of a response body.
enum BodySource: Sendable {
    case memory(ByteBuffer)
    case blob(any BlobReading, FeedContext)

    /// A piece of a response body.
    enum Piece: Sendable {
        case text(String)
        case range(ByteRange)

        var length: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .range(let range): Int(range.count)
            }
        }
    }

    /// A response body. Only that of a file is written by a task.
    func body(_ pieces: [Piece]) -> ResponseBody {
        switch self {
        case .memory(let bytes): return ResponseBody(byteBuffer: Self.joined(pieces, of: bytes))
        case .blob(let reader, let context):
            return ResponseBody(contentLength: pieces.reduce(0) { $0 + $1.length }) { writer in
                for piece in pieces {
                    switch piece {
                    case .text(let text): try await writer.write(ByteBuffer(string: text))
                    case .range(let range): try await Self.write(range, of: reader, to: writer, context)
                    }
                }
            }
        }
    }

    private static func joined(_ pieces: [Piece], of bytes: ByteBuffer) -> ByteBuffer {
        var joined = ByteBuffer()
        for piece in pieces {
            switch piece {
            case .text(let text): joined.writeString(text)
            case .range(let range):
                let start = bytes.readerIndex + Int(range.first)
                guard var slice = bytes.getSlice(at: start, length: Int(range.count)) else { continue }
                if pieces.count == 1 { return slice }
                joined.writeBuffer(&slice)
            }
        }
        return joined
    }

    private static func write(
        _ range: ByteRange, of reader: any BlobReading, to writer: ResponseWriter, _ context: FeedContext
    ) async throws {
        if context.sendsFiles, let region = reader.region(range) { return try await writer.send(region) }
        // A connection of HTTP/2 holds a chunk for each of its streams.
        var chunks = context.isEncrypted ? reader.chunks(range, size: 64 * 1024) : reader.chunks(range)
        while let chunk = try await chunks.next() { try await writer.write(chunk) }
    }
}
