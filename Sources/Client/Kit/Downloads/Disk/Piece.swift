import Crypto
import NIOCore

/// Bytes that lie on the disk, and by what they are recognised. A piece never reaches over the end of a chunk.
struct Piece: Sendable, Equatable {
    /// The first half of a SHA-256 tells a piece from any accident.
    static let digestSize = 16

    let span: Range<Int64>
    let digest: [UInt8]

    init(span: Range<Int64>, digest: [UInt8]) {
        self.span = span
        self.digest = digest
    }

    init(_ stretch: Stretch) {
        span = stretch.span
        digest = Array(stretch.hash.finalize().prefix(Self.digestSize))
    }
}

/// A piece that is still growing.
struct Stretch: Sendable {
    let start: Int64
    private(set) var end: Int64
    private(set) var hash = SHA256()

    init(start: Int64) { (self.start, end) = (start, start) }

    var span: Range<Int64> { start..<end }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
        end += Int64(bytes.count)
    }

    /// Goes on with bytes that follow; whenever a chunk is full, a new stretch begins.
    /// - Returns: The pieces that were completed.
    mutating func append(_ bytes: UnsafeRawBufferPointer, chunkSize: Int64) -> [Piece] {
        var (pieces, rest) = ([Piece](), bytes[...])
        while !rest.isEmpty {
            let room = chunkSize - end % chunkSize
            let part = rest.prefix(Int(min(room, Int64(rest.count))))
            append(UnsafeRawBufferPointer(rebasing: part))
            rest = rest.dropFirst(part.count)
            guard end % chunkSize == 0 else { break }
            pieces.append(Piece(self))
            self = Stretch(start: end)
        }
        return pieces
    }
}
