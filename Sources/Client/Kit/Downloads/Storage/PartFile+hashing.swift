import Crypto
import NIOCore

extension PartFile {
    /// Writes a buffer; `hash` is called with each part of it first.
    func write(_ buffer: WriteBuffer, _ hash: (UnsafeRawBufferPointer) -> Void) throws {
        var offset = buffer.offset
        for part in buffer.buffers {
            try part.withUnsafeReadableBytes { bytes in
                hash(bytes)
                try write(bytes, at: offset)
            }
            offset += Int64(part.readableBytes)
        }
    }

    /// Reads a range back and appends it to the hash, unless it does not match its digest.
    func hash(
        _ range: Range<Int64>, onto hasher: PrefixHasher
    ) throws -> (PrefixHasher, damaged: HashedRange?) {
        var (next, own) = (hasher, SHA256())
        let unverified = hasher.unverified.first.flatMap { $0.range == range ? $0 : nil }
        try read(range) { bytes in
            next.append(bytes)
            if unverified != nil { own.update(bufferPointer: bytes) }
        }
        guard let unverified else { return (next, nil) }
        guard HashedRange.digest(of: own) == unverified.digest else {
            var unchanged = hasher
            unchanged.removeFirstUnverified()
            return (unchanged, damaged: unverified)
        }
        next.removeFirstUnverified()
        return (next, nil)
    }
}
