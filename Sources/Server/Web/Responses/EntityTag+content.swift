import Crypto
import FeedCore
import FeedFiles
import Foundation

extension EntityTag {
    /// A strong tag of whatever a page depends on.
    init(of parts: String...) { self.init(of: Array(parts.joined(separator: "\u{0}").utf8)) }

    /// A strong tag of bytes.
    init(of bytes: [UInt8]) {
        self.init(Hexadecimal.text(SHA256.hash(data: bytes).prefix(12)))
    }
}
