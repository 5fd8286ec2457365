import NIOCore

/// Finds the end of a chunked body (RFC 9112 §7.1) in bytes that arrive in pieces.
struct ChunkScanner {
    private enum State {
        /// The line with the size of a chunk; `inSize` while reading its digits.
        case size(Int, inSize: Bool)
        case data(left: Int)
        /// The line break after the data.
        case dataEnd
        case trailer(EmptyLineScanner)
        /// Malformed input, which the decoder rejects.
        case other
    }

    /// Above it, the decoder refuses a size.
    private static let maximumSize = 1 << 56

    private var state = State.size(0, inSize: true)

    /// The length up to and including the end of the body, or of all bytes if it does not end in them.
    mutating func next(in bytes: ByteBufferView) -> Int {
        var position = bytes.startIndex
        while position < bytes.endIndex {
            switch state {
            case .data(let left):
                let length = min(left, bytes.endIndex - position)
                position += length
                state = left > length ? .data(left: left - length) : .dataEnd
            case .trailer(var lines):
                let length = lines.next(in: bytes[position...])
                state = .trailer(lines)
                return position + length - bytes.startIndex
            case .other: return bytes.count
            case .size, .dataEnd:
                read(bytes[position])
                position += 1
            }
        }
        return bytes.count
    }

    private mutating func read(_ byte: UInt8) {
        let isLineEnd = byte == UInt8(ascii: "\n")
        switch state {
        case .size(let size, _) where isLineEnd: state = size > 0 ? .data(left: size) : .trailer(EmptyLineScanner())
        case .size(let size, true):
            guard let digit = Self.digit(byte) else { return state = .size(size, inSize: false) }
            state = size < Self.maximumSize ? .size(size * 16 + digit, inSize: true) : .other
        case .dataEnd where isLineEnd: state = .size(0, inSize: true)
        case .dataEnd where byte != UInt8(ascii: "\r"): state = .other
        default: break
        }
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 48...57: Int(byte) - 48
        case 65...70: Int(byte) - 55
        case 97...102: Int(byte) - 87
        default: nil
        }
    }
}
