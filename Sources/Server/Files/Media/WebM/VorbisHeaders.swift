/// The three headers of a Vorbis decoder, as WebM stores them (RFC 9559, A_VORBIS): the number of headers less one, the
/// lengths of all but the last one in the form of Xiph, and the headers.
enum VorbisHeaders {
    /// A comment header without a vendor and without comments (Vorbis I, 5.2.1), which zeros may follow.
    static let emptyComments: [UInt8] = [3] + Array("vorbis".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]

    /// Finds the comment header.
    /// - Parameters:
    ///   - bytes: At least the beginning of all headers, with the mark of the comment header.
    ///   - size: The size of all headers in bytes.
    /// - Returns: The position of the header; `nil` if these are not headers of Vorbis.
    static func comments(in bytes: ArraySlice<UInt8>, size: Int64) throws(MediaFault) -> Range<Int64>? {
        var rest = bytes.dropFirst()
        guard bytes.first == 2, let first = length(&rest), let second = length(&rest),
            rest.starts(with: "\u{1}vorbis".utf8)
        else { return nil }
        let start = Int64(rest.startIndex - bytes.startIndex + first)
        let isValid = rest.dropFirst(first).starts(with: emptyComments.prefix(7))
        guard isValid, second >= emptyComments.count, start + Int64(second) <= size else {
            throw .damaged("its comments are invalid")
        }
        return start..<start + Int64(second)
    }

    /// Reads a length: bytes of 255, and a smaller one.
    private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var length = 0
        while let byte = rest.popFirst() {
            length += Int(byte)
            if byte < 255 { return length }
        }
        return nil
    }
}
