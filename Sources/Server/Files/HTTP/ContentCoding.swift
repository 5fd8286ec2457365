import CZlib
import FeedAPI
import FeedCore

/// A content coding in which a response is sent (RFC 9110 §8.4.1).
package enum ContentCoding: String, Sendable {
    /// None.
    case identity
    case gzip

    private static let maximumElements = 64

    /// The coding that a client prefers. A client that does not send Accept-Encoding gets none, although it would have to
    /// accept any.
    /// - Parameter accepted: The Accept-Encoding header field (RFC 9110 §12.5.3); malformed elements are ignored. A list
    ///   of more than 64 elements counts as absent.
    package init(accepted: String?) {
        guard let accepted, accepted.utf8.count(where: { $0 == UInt8(ascii: ",") }) < Self.maximumElements else {
            self = .identity
            return
        }
        var weights: [String: Int] = [:]
        for element in accepted.utf8.split(separator: UInt8(ascii: ",")) {
            guard let (coding, weight) = Self.parse(element) else { continue }
            // RFC 9110 §8.4.1.3
            weights[coding == "x-gzip" ? "gzip" : coding] = weight
        }
        let gzip = weights["gzip"] ?? weights["*"] ?? 0
        self = gzip > 0 && gzip >= weights["identity"] ?? 0 ? .gzip : .identity
    }

    /// Parses a coding with an optional weight.
    /// - Returns: The coding in lowercase and the weight in thousandths; `nil` if the element is malformed.
    private static func parse(_ element: Substring.UTF8View) -> (coding: String, weight: Int)? {
        let name = element.prefix { $0 != UInt8(ascii: ";") }
        let coding = Substring(name).trimmingBlanks.lowercased()
        guard !coding.isEmpty, let weight = QualityValue.thousandths(element[name.endIndex...]) else { return nil }
        return (coding, weight)
    }
}

extension EntityTag {
    /// The tag of the same content in a coding: each coding is a representation of its own (RFC 9110 §8.8.3.3).
    package func coded(_ coding: ContentCoding) -> EntityTag {
        coding == .identity ? self : EntityTag(opaque + "-" + coding.rawValue, isWeak: isWeak)
    }
}

/// Compresses with gzip (RFC 1952).
package enum Gzip {
    /// zlib's number for gzip with the largest window.
    private static let format = MAX_WBITS + 16
    /// zlib's standard memory level.
    private static let memory: Int32 = 8

    /// Compresses bytes. The same bytes give the same result, since it contains no time.
    /// - Returns: `nil` if there is no memory, or for more than 4 GiB.
    package static func compress(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        var stream = z_stream()
        // zlib refuses a stream that has moved since its initialization.
        return withUnsafeMutablePointer(to: &stream) { stream in
            let code = deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, format, memory, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size))
            guard code == Z_OK else { return nil }
            defer { deflateEnd(stream) }
            return compress(bytes, stream)
        }
    }

    private static func compress(
        _ bytes: UnsafeRawBufferPointer, _ stream: UnsafeMutablePointer<z_stream>
    ) -> [UInt8]? {
        guard let size = uInt(exactly: bytes.count) else { return nil }
        var isComplete = false
        let capacity = Int(deflateBound(stream, uLong(size)))
        let result = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            // zlib only reads the input, although its type says otherwise.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: Bytef.self).baseAddress)
            stream.pointee.avail_in = size
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = uInt(output.count)
            isComplete = deflate(stream, Z_FINISH) == Z_STREAM_END
            count = output.count - Int(stream.pointee.avail_out)
        }
        return isComplete ? result : nil
    }
}
