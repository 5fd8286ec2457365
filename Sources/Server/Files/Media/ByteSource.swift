import Foundation

/// A file that is read from its beginning to its end. It is a value: a copy reads on independently.
package protocol ByteSource {
    /// The number of bytes that have not been read yet.
    var remaining: Int64 { get }
    /// Reads exactly `count` bytes.
    /// - Throws: ``MediaError/incomplete`` if fewer remain.
    mutating func read(_ count: Int) throws(MediaError) -> [UInt8]
    /// Moves on without reading.
    /// - Throws: ``MediaError/incomplete`` if fewer than `count` bytes remain.
    mutating func skip(_ count: Int64) throws(MediaError)
}

/// A regular file, read with `pread`, so that copies of this value do not disturb each other.
package struct FileSource: ByteSource {
    private let descriptor: Int32
    private let size: Int64
    private var offset: Int64 = 0

    /// - Parameter descriptor: An open file, which the caller closes.
    /// - Throws: ``MediaError`` `.failed` if it is not a regular file.
    package init(descriptor: Int32) throws(MediaError) {
        // Not `fstat`, which the C library implements with a call that takes a path and is forbidden in the process
        // that decodes. A folder is not a file, but reading it fails.
        let end = lseek(descriptor, 0, Int32(SEEK_END))
        guard end >= 0 else { throw .failed("lseek", errno) }
        self.descriptor = descriptor
        size = Int64(end)
    }

    package var remaining: Int64 { size - offset }

    package mutating func read(_ count: Int) throws(MediaError) -> [UInt8] {
        guard count >= 0, Int64(count) <= remaining else { throw .incomplete }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let result = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return pread(descriptor, rest.baseAddress, rest.count, off_t(offset))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw .failed("read", errno) }
            // The file has been truncated meanwhile.
            guard result > 0 else { throw .incomplete }
            filled += result
            offset += Int64(result)
        }
        return bytes
    }

    package mutating func skip(_ count: Int64) throws(MediaError) {
        guard count >= 0, count <= remaining else { throw .incomplete }
        offset += count
    }
}
