import Crypto

/// The hash of the file's start, as far as it has been read back.
struct PrefixHash: Sendable {
    private(set) var position: Int64 = 0
    private(set) var hash = SHA256()
    /// Pieces from an earlier download, not looked at yet, in order.
    private(set) var unproven: ArraySlice<Piece>

    /// - Parameter unproven: Pieces that are compared with their own hashes when they are reached, in order.
    init(unproven: [Piece] = []) { self.unproven = unproven[...] }

    /// What to read next of the bytes up to `end`, at most `limit` unless it is one piece; a piece only as a whole.
    func next(upTo end: Int64, limit: Int64) -> Range<Int64>? {
        guard position < end else { return nil }
        let limited = position + min(limit, end - position)
        guard let piece = unproven.first else { return position..<limited }
        if piece.span.lowerBound == position { return piece.span }
        return position..<min(limited, piece.span.lowerBound)
    }

    /// The next bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
        position += Int64(bytes.count)
    }

    /// The piece that is next was read, or is given up.
    mutating func prove() { unproven = unproven.dropFirst() }
}
