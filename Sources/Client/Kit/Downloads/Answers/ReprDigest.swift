import Foundation
import NIOHTTP1

/// SHA-256 in a digest field (RFC 9530).
enum ReprDigest {
    /// - Returns: Lower-case hexadecimal, or `nil`.
    static func sha256(_ headers: HTTPHeaders) -> String? {
        for part in headers["Repr-Digest"].flatMap({ $0.split(separator: ",") }) {
            let pair = part.trimmingCharacters(in: .whitespaces)
            guard pair.hasPrefix("sha-256=:"), pair.hasSuffix(":") else { continue }
            guard let bytes = Data(base64Encoded: String(pair.dropFirst(9).dropLast())), bytes.count == 32 else {
                continue
            }
            return Hexadecimal.text(bytes)
        }
        return nil
    }
}
