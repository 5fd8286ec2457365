import FeedCore
import FeedStore
import HTTPTypes
import NIOCore

/// The checks of an upload before its body is read: size, quota and content coding.
struct UploadRule: Sendable {
    private let maximum: Int64
    /// The size in bytes of the rest of a form.
    private let overhead: Int64
    private let quota: StorageQuota
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
        quota = StorageQuota(limit: limit, used: used)
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

    /// Checks a form with files, and begins to read it.
    /// - Returns: The declared length in bytes, if any.
    /// - Throws: As ``checkBeforeReading(_:)``.
    func begin(_ request: Request, _ context: RequestContext) async throws -> Int64? {
        do {
            let length = try checkBeforeReading(request)
            context.readBody()
            return length
        } catch {
            guard request.droppedAfterRefusal > 0 else { throw error }
            context.readBody()
            try await request.readForm { _ in throw error }
            throw error
        }
    }

    /// The error for a body that exceeds ``limit(after:)``.
    var excess: FeedError {
        guard let limit = quota.limit, quota.left(replacing: replaced) < maximum else {
            return FeedError(.tooLarge, "The file is larger than \(maximum) bytes", hint: "Send a smaller file.")
        }
        return StorageQuota.exceeded(limit)
    }

    /// The maximum size in bytes of the next file after `total` bytes, for bodies of undeclared length.
    func limit(after total: Int64 = 0) -> Int64 {
        max(0, min(maximum, quota.left(replacing: replaced)) - total)
    }
}

extension Request {
    /// The size in bytes up to which the rest of a refused form is read and dropped. A browser shows a page only after it
    /// has sent the whole form, while a program learns of the refusal at once.
    var droppedAfterRefusal: Int64 {
        let isLong = headers[.contentLength].flatMap(Int64.init) ?? 0 > Limits.refusedFormBytes
        guard !isLong, !headers.contains(.expect), CrossSiteRule.Place(uri.path) == .page else { return 0 }
        return Limits.refusedFormBytes
    }

    /// Reads a form with files piece by piece.
    /// - Parameter take: Throws ``FeedError`` to refuse the form.
    func readForm(_ take: (ByteBuffer) async throws -> Void) async throws {
        var pieces = body.makeAsyncIterator()
        do {
            while let piece = try await pieces.next() { try await take(piece) }
        } catch let refusal as FeedError {
            var left = droppedAfterRefusal
            while left > 0, let piece = try? await pieces.next() { left -= Int64(piece.readableBytes) }
            throw refusal
        }
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
