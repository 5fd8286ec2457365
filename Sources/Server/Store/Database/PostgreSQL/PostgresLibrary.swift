import FeedCore
import Foundation

/// The required functions of libpq. They are loaded at run time, because a program linked against libpq would not start
/// without it. Names and parameters are those of the PostgreSQL manual, chapter "libpq".
struct PostgresLibrary: Sendable {
    typealias Connection = OpaquePointer
    typealias Result = OpaquePointer
    typealias Values = UnsafePointer<UnsafePointer<CChar>?>

    /// The values of `ExecStatusType` that do not mean a failure.
    enum ResultStatus: Int32 {
        case emptyQuery = 0
        case commandOK = 1
        case tuplesOK = 2
        case pipelineSync = 10
    }

    /// The values of `PGTransactionStatusType` that matter here.
    enum TransactionStatus: Int32 {
        case idle = 0
        case inTransaction = 2
        case inError = 3
    }

    /// The value of `ConnStatusType` for a connection that is usable.
    static let connectionOK: Int32 = 0
    /// The field of an error that contains the SQLSTATE.
    static let stateField = Int32(UInt8(ascii: "C"))

    let connectdb: @Sendable @convention(c) (UnsafePointer<CChar>) -> Connection?
    let status: @Sendable @convention(c) (Connection) -> Int32
    let errorMessage: @Sendable @convention(c) (Connection) -> UnsafePointer<CChar>?
    let finish: @Sendable @convention(c) (Connection) -> Void
    let serverVersion: @Sendable @convention(c) (Connection) -> Int32
    let parameterStatus: @Sendable @convention(c) (Connection, UnsafePointer<CChar>) -> UnsafePointer<CChar>?
    let transactionStatus: @Sendable @convention(c) (Connection) -> Int32
    let exec: @Sendable @convention(c) (Connection, UnsafePointer<CChar>) -> Result?
    let enterPipelineMode: @Sendable @convention(c) (Connection) -> Int32
    let exitPipelineMode: @Sendable @convention(c) (Connection) -> Int32
    let pipelineSync: @Sendable @convention(c) (Connection) -> Int32
    let sendPrepare:
        @Sendable @convention(c) (
            Connection, UnsafePointer<CChar>, UnsafePointer<CChar>, Int32, UnsafePointer<UInt32>?
        ) -> Int32
    let sendQueryPrepared:
        @Sendable @convention(c) (
            Connection, UnsafePointer<CChar>, Int32, Values?, UnsafePointer<Int32>?, UnsafePointer<Int32>?, Int32
        ) -> Int32
    let sendQueryParams:
        @Sendable @convention(c) (
            Connection, UnsafePointer<CChar>, Int32, UnsafePointer<UInt32>?, Values?, UnsafePointer<Int32>?,
            UnsafePointer<Int32>?, Int32
        ) -> Int32
    let getResult: @Sendable @convention(c) (Connection) -> Result?
    let resultStatus: @Sendable @convention(c) (Result?) -> Int32
    let resultErrorField: @Sendable @convention(c) (Result?, Int32) -> UnsafePointer<CChar>?
    let resultErrorMessage: @Sendable @convention(c) (Result?) -> UnsafePointer<CChar>?
    let ntuples: @Sendable @convention(c) (Result) -> Int32
    let nfields: @Sendable @convention(c) (Result) -> Int32
    let ftype: @Sendable @convention(c) (Result, Int32) -> UInt32
    let getisnull: @Sendable @convention(c) (Result, Int32, Int32) -> Int32
    let getlength: @Sendable @convention(c) (Result, Int32, Int32) -> Int32
    let getvalue: @Sendable @convention(c) (Result, Int32, Int32) -> UnsafePointer<CChar>?
    let cmdTuples: @Sendable @convention(c) (Result) -> UnsafePointer<CChar>?
    let clear: @Sendable @convention(c) (Result) -> Void
    let socket: @Sendable @convention(c) (Connection) -> Int32
    let consumeInput: @Sendable @convention(c) (Connection) -> Int32
    let notifies: @Sendable @convention(c) (Connection) -> UnsafeMutableRawPointer?
    let freemem: @Sendable @convention(c) (UnsafeMutableRawPointer) -> Void

    private struct MissingFunction: Error {}

    /// - Throws: ``FeedError`` `.unavailable` if the library is not installed, or hidden by `FEED_WITHOUT=pq`.
    static func load() throws(FeedError) -> PostgresLibrary {
        let hidden = ProcessInfo.processInfo.environment["FEED_WITHOUT"]?.split(separator: ",") ?? []
        guard !hidden.contains("pq"),
            let library = dlopen("libpq.so.5", RTLD_NOW) ?? dlopen("libpq.5.dylib", RTLD_NOW),
            let functions = try? PostgresLibrary(library)
        else {
            throw FeedError(
                .unavailable, "libpq 14 or newer, the PostgreSQL client library, is not installed",
                hint: "Install it: apt install libpq5")
        }
        return functions
    }

    /// A message of libpq, which ends with a line break.
    static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
    }

    private init(_ library: UnsafeMutableRawPointer) throws {
        func find<Function>(_ name: String) throws -> Function {
            guard let symbol = dlsym(library, "PQ" + name) else { throw MissingFunction() }
            return unsafeBitCast(symbol, to: Function.self)
        }
        connectdb = try find("connectdb")
        status = try find("status")
        errorMessage = try find("errorMessage")
        finish = try find("finish")
        serverVersion = try find("serverVersion")
        parameterStatus = try find("parameterStatus")
        transactionStatus = try find("transactionStatus")
        exec = try find("exec")
        enterPipelineMode = try find("enterPipelineMode")
        exitPipelineMode = try find("exitPipelineMode")
        pipelineSync = try find("pipelineSync")
        sendPrepare = try find("sendPrepare")
        sendQueryPrepared = try find("sendQueryPrepared")
        sendQueryParams = try find("sendQueryParams")
        getResult = try find("getResult")
        resultStatus = try find("resultStatus")
        resultErrorField = try find("resultErrorField")
        resultErrorMessage = try find("resultErrorMessage")
        ntuples = try find("ntuples")
        nfields = try find("nfields")
        ftype = try find("ftype")
        getisnull = try find("getisnull")
        getlength = try find("getlength")
        getvalue = try find("getvalue")
        cmdTuples = try find("cmdTuples")
        clear = try find("clear")
        socket = try find("socket")
        consumeInput = try find("consumeInput")
        notifies = try find("notifies")
        freemem = try find("freemem")
    }
}
