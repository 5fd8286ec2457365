import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The checks of an upload before its body is read: size, quota and content coding.
struct UploadAdmission: Sendable {
    private let maximum: Int64
    /// The size in bytes of the rest of a form.
    private let overhead: Int64
    private let quota: Quota
    private let replaced: Int64

    /// - Parameters:
    ///   - replaced: The size in bytes of the file that the upload replaces.
    ///   - maximum: The maximum size of a file in bytes, if it is less than that of all files.
    ///   - overhead: The maximum size of the rest of a form in bytes.
    init(
        services: FileServices, owner: Int64?, replaced: Int64 = 0, maximum: Int64 = .max, overhead: Int64 = 0
    ) async throws {
        self.maximum = min(maximum, services.limits.fileBytes)
        self.overhead = overhead
        let limit = owner == nil ? nil : services.limits.accountBytes
        var used: Int64 = 0
        if limit != nil, let owner { used = try await services.files.bytes(of: owner) }
        quota = Quota(limit: limit, used: used)
        self.replaced = replaced
    }

    /// - Returns: The declared length in bytes, if any.
    /// - Throws: ``FeedError`` `.tooLarge`, `.quota`, `.unsupported`.
    func checkBeforeReading(_ request: Request) throws(FeedError) -> Int64? {
        try request.refuseContentCoding()
        guard let length = request.headers[.contentLength].flatMap(Int64.init) else { return nil }
        guard length <= maximum.addingClamped(overhead) else {
            throw FeedError(.tooLarge, "The file is larger than \(maximum) bytes", hint: "Send a smaller file.")
        }
        try quota.check(max(0, length - overhead), replacing: replaced)
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

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
