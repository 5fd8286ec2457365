import NIOCore

/// Finds empty lines, which end the head of a request, in bytes that arrive in pieces.
struct EmptyLineScanner {
    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    /// Whether the line so far contains at most carriage returns.
    private var isLineEmpty = true

    /// The length up to and including the first empty line, or of all bytes if there is none. Several line breaks at the
    /// beginning, which the decoder ignores between requests, count as one.
    mutating func next(in bytes: ByteBufferView) -> Int {
        if isLineEmpty, let rest = bytes.firstIndex(where: { $0 != Self.lineFeed && $0 != Self.carriageReturn }),
            rest > bytes.startIndex, bytes[rest - 1] == Self.lineFeed
        {
            return rest - bytes.startIndex
        }
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: Self.lineFeed) {
            read(bytes[start..<end])
            start = end + 1
            guard !isLineEmpty else { return start - bytes.startIndex }
            isLineEmpty = true
        }
        read(bytes[start...])
        return bytes.count
    }

    private mutating func read(_ part: ByteBufferView) {
        isLineEmpty = isLineEmpty && part.allSatisfy { $0 == Self.carriageReturn }
    }
}
