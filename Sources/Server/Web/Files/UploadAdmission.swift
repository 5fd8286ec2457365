import FeedCore
import HTTPTypes
import Hummingbird

/// The checks of an upload before its body is read: size, quota and content coding.
struct UploadAdmission: Sendable {
    private let maximum: Int64
    private let quota: Quota
    private let replaced: Int64

    /// - Parameter replaced: The size in bytes of the file that the upload replaces.
    init(services: Services, owner: Int64?, replaced: Int64 = 0) async throws {
        maximum = services.limits.fileBytes
        let limit = owner == nil ? nil : services.limits.accountBytes
        var used: Int64 = 0
        if limit != nil, let owner { used = try await services.stores.files.bytes(of: owner) }
        quota = Quota(limit: limit, used: used)
        self.replaced = replaced
    }

    /// - Returns: The declared length in bytes, if any.
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

    /// The error for a body that exceeds ``limit(after:)``.
    var excess: FeedError {
        guard let limit = quota.limit, quota.left(replacing: replaced) < maximum else {
            return FeedError(.tooLarge, "The file is larger than \(maximum) bytes", hint: "Send a smaller file.")
        }
        return Quota.exceeded(limit)
    }

    /// The maximum size in bytes of the next file after `total` bytes, for bodies of undeclared length.
    func limit(after total: Int64 = 0) -> Int64 {
        max(0, min(maximum, quota.left(replacing: replaced)) - total)
    }
}
