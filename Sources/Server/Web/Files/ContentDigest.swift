import FeedCore
import FeedFiles
import FeedStore
import Foundation
import HTTPTypes
import NIOCore

/// The digests that a client declares for its upload (Content-Digest and Repr-Digest, RFC 9530). Only sha-256 is
/// verified; for a complete file without content coding both fields mean the same.
struct ContentDigest: Sendable {
    /// Lowercase hexadecimal.
    private let expected: [String]

    /// - Throws: ``FeedError`` `.malformed` for a malformed field.
    init(_ headers: HTTPFields) throws(FeedError) {
        var expected: [String] = []
        for line in headers[values: .contentDigest] + headers[values: .reprDigest] {
            for member in line.utf8.split(separator: UInt8(ascii: ",")).map(Substring.init) {
                if let digest = try Self.sha256(member.trimmingCharacters(in: .whitespaces)) { expected.append(digest) }
            }
        }
        self.expected = expected
    }

    /// - Throws: ``FeedError`` `.malformed` when the bytes do not match.
    @Sendable func check(_ blob: Blob) throws(FeedError) {
        guard expected.allSatisfy({ $0 == blob.hash.description }) else {
            throw .malformed("The bytes do not match the digest", hint: "Send the file again.")
        }
    }

    private static func sha256(_ member: String) throws(FeedError) -> String? {
        let pair = member.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1)
        let colon = UInt8(ascii: ":")
        guard pair.count == 2, pair[1].count >= 2, pair[1].first == colon, pair[1].last == colon,
            let bytes = Data(base64Encoded: Data(pair[1].dropFirst().dropLast()))
        else { throw .malformed("A digest field is malformed", hint: "Use the form sha-256=:BASE64:.") }
        guard pair[0].elementsEqual("sha-256".utf8) else { return nil }
        guard bytes.count == 32 else { throw .malformed("A sha-256 digest must have 32 bytes") }
        return Hex.text(bytes)
    }
}

/// SHA-256 as digest fields encode it (RFC 9530).
enum Digest {
    static func base64(hex: String) -> String? {
        var bytes: [UInt8] = []
        var rest = hex[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return Data(bytes).base64EncodedString()
    }
}
