import Crypto
import FeedCore
import FeedFiles
import Foundation

extension EntityTag {
    /// A strong entity tag derived from everything that a page depends on.
    init(of parts: String...) { self.init(of: Array(parts.joined(separator: "\u{0}").utf8)) }

    /// A strong entity tag of content.
    init(of bytes: [UInt8]) {
        self.init(Hexadecimal.text(SHA256.hash(data: bytes).prefix(12)))
    }
}
