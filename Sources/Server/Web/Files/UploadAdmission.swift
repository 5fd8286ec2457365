import FeedCore
import HTTPTypes
import Hummingbird

/// What refuses an upload before a byte of it is read: its size, the owner's quota, what we cannot take.
struct UploadAdmission: Sendable {
    private let maximum: Int64
    private let quota: Quota
    private let replaced: Int64

    /// - Parameter replaced: Bytes of the file that goes when this one comes.
    init(services: Services, owner: Int64?, replaced: Int64 = 0) async throws {
        maximum = services.limits.fileBytes
        let limit = owner == nil ? nil : services.limits.accountBytes
        var used: Int64 = 0
        if limit != nil, let owner { used = try await services.stores.files.bytes(of: owner) }
        quota = Quota(limit: limit, used: used)
        self.replaced = replaced
    }

    /// - Returns: The declared length.
    /// - Throws: ``FeedError`` `.tooLarge`, `.quota`, `.unsupported`.
    func checkBeforeReading(_ request: Request) throws(FeedError) -> Int64? {
        try request.refuseContentCoding()
        guard let length = request.headers[.contentLength].flatMap(Int64.init) else { return nil }
        guard length <= maximum else {
            throw FeedError(.tooLarge, "The file is larger than \(maximum) bytes", hint: "Send a smaller file.")
        }
        try quota.check(length, replacing: replaced)
        return length
    }

    /// What is thrown when more than ``limit(after:)`` come.
    var excess: FeedError {
        guard let limit = quota.limit, quota.left(replacing: replaced) < maximum else {
            return FeedError(.tooLarge, "The file is larger than \(maximum) bytes", hint: "Send a smaller file.")
        }
        return Quota.exceeded(limit)
    }

    /// Bytes the next file may have when `total` have come: bounds what declares no length.
    func limit(after total: Int64 = 0) -> Int64 {
        max(0, min(maximum, quota.left(replacing: replaced)) - total)
    }
}
