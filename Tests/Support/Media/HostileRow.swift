package import FeedFiles
package import Foundation
import Testing

/// A malformed or hostile file, and what becomes of it.
package struct HostileRow: CustomTestStringConvertible, Sendable {
    package enum Outcome: Sendable {
        case refused(MediaError.Kind)
        /// It is copied without ``secret``.
        case sanitized
    }

    package let name: String
    package let bytes: [UInt8]
    package let outcome: Outcome

    package var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8], _ kind: MediaError.Kind) {
        (self.name, self.bytes, outcome) = (name, bytes, .refused(kind))
    }

    init(sanitized name: String, _ bytes: [UInt8]) {
        (self.name, self.bytes, outcome) = (name, bytes, .sanitized)
    }

    /// Bytes that a copy must not contain.
    package static let removed = Data(secret)

    package static let all = jpeg + jpegParts + png + pngParts + gif + webp + mp4 + webm + audio
}
