import Crypto
import Foundation

/// Makes the ids of feeds and entries: name-based UUIDs (RFC 9562 §5.5) in the namespace of the feed's random id. They
/// stay the same when the host changes, and after a restored backup or a copy into another database.
struct FeedIdentifier: Sendable {
    let namespace: UUID

    func site() -> String { urn("site") }
    func account(_ id: Int64) -> String { urn("account/\(id)") }
    func tag(_ key: String) -> String { urn("tag/" + key) }
    func status(_ id: Int64) -> String { urn("status/\(id)") }
    func replies(to id: Int64) -> String { urn("replies/\(id)") }

    private func urn(_ name: String) -> String {
        var hash = Insecure.SHA1()
        withUnsafeBytes(of: namespace.uuid) { hash.update(bufferPointer: $0) }
        hash.update(data: Data(name.utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        let uuid = bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        return "urn:uuid:" + UUID(uuid: uuid).uuidString.lowercased()
    }
}
