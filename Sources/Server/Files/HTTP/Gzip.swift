import CZlib

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
