import FeedCore

extension BlobHash {
    static let zero = {
        guard let hash = BlobHash(String(repeating: "0", count: 64)) else { fatalError("zeros are digits") }
        return hash
    }()
}
