import Crypto
import FeedCore
import FeedFiles
import Foundation
import NIOCore

extension EntityTag {
    /// A strong entity tag derived from everything that a page depends on.
    init(of parts: String...) { self.init(of: Array(parts.joined(separator: "\u{0}").utf8)) }

    /// A strong entity tag of content.
    init(of bytes: [UInt8]) {
        self.init(Hexadecimal.text(SHA256.hash(data: bytes).prefix(16)))
    }

    /// A strong entity tag of a body and its links, without copying the body.
    init(of body: ByteBuffer, links: String) {
        var (hash, links) = (SHA256(), links)
        body.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        links.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        self.init(Hexadecimal.text(hash.finalize().prefix(16)))
    }
}
