import Foundation
import NIOHTTP1

/// The `Repr-Digest` field (RFC 9530).
enum ReprDigest {
    /// The SHA-256 in lowercase hexadecimal, or `nil` if the field has no valid one.
    static func sha256(_ headers: HTTPHeaders) -> String? {
        for member in headers["Repr-Digest"].flatMap({ $0.utf8.split(separator: UInt8(ascii: ",")) }) {
            let pair = Substring(member).trimmingCharacters(in: .whitespaces)
            guard pair.hasPrefix("sha-256=:"), pair.hasSuffix(":") else { continue }
            guard let bytes = Data(base64Encoded: String(pair.dropFirst(9).dropLast())), bytes.count == 32 else {
                continue
            }
            return Hexadecimal.text(bytes)
        }
        return nil
    }
}
