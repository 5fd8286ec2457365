/// A write to an existing or missing file and its expected result, used with the pure rule and over a socket.
package struct WriteRow: CustomStringConvertible, Sendable {
    package let id: String
    package let method: String
    /// Header lines with placeholders of ``Validators``.
    package let headers: [String]
    package let exists: Bool
    /// 412 if a precondition fails.
    package let status: Int

    package var description: String { id }

    private init(_ id: String, _ method: String, _ headers: [String], exists: Bool, _ status: Int) {
        self.id = id
        self.method = method
        self.headers = headers
        self.exists = exists
        self.status = status
    }

    package static let all: [WriteRow] = [
        WriteRow("W01 absent", "PUT", [], exists: false, 201),
        WriteRow("W01 present", "PUT", [], exists: true, 204),
        WriteRow("W02 absent", "PUT", ["If-None-Match: *"], exists: false, 201),
        WriteRow("W02 present", "PUT", ["If-None-Match: *"], exists: true, 412),
        WriteRow("W02b matches", "PUT", ["If-None-Match: {E}"], exists: true, 412),
        WriteRow("W02c differs", "PUT", ["If-None-Match: \"X\""], exists: true, 204),
        WriteRow("W03 matches", "PUT", ["If-Match: {E}"], exists: true, 204),
        WriteRow("W03 in a list", "PUT", ["If-Match: \"X\", {E}"], exists: true, 204),
        WriteRow("W03 differs", "PUT", ["If-Match: \"X\""], exists: true, 412),
        WriteRow("W03 absent", "PUT", ["If-Match: \"X\""], exists: false, 412),
        WriteRow("W03b absent", "PUT", ["If-Match: {E}"], exists: false, 412),
        WriteRow("W04 absent", "PUT", ["If-Match: *"], exists: false, 412),
        WriteRow("W04 present", "PUT", ["If-Match: *"], exists: true, 204),
        WriteRow("W05 weak", "PUT", ["If-Match: W/{E}"], exists: true, 412),
        WriteRow("W06 matches", "DELETE", ["If-None-Match: {E}"], exists: true, 412),
        WriteRow("W06 differs", "DELETE", ["If-None-Match: \"X\""], exists: true, 204),
        WriteRow("W07 present", "PUT", ["If-Modified-Since: {newer}"], exists: true, 204),
        WriteRow("W07 absent", "PUT", ["If-Modified-Since: {newer}"], exists: false, 201),
        WriteRow("W07b DELETE", "DELETE", ["If-Modified-Since: {newer}"], exists: true, 204),
        WriteRow("W08 older", "DELETE", ["If-Unmodified-Since: {older}"], exists: true, 412),
        WriteRow("W08 equal", "DELETE", ["If-Unmodified-Since: {equal}"], exists: true, 204),
        WriteRow("W08b older", "PUT", ["If-Unmodified-Since: {older}"], exists: true, 412),
        WriteRow("W08c garbage", "PUT", ["If-Unmodified-Since: garbage"], exists: true, 204),
        WriteRow("W08d overruled", "PUT", ["If-Match: {E}", "If-Unmodified-Since: {older}"], exists: true, 204),
        WriteRow("DELETE", "DELETE", [], exists: true, 204),
        WriteRow("DELETE absent", "DELETE", [], exists: false, 404),
        WriteRow("DELETE matches", "DELETE", ["If-Match: {E}"], exists: true, 204),
        WriteRow("DELETE differs", "DELETE", ["If-Match: \"X\""], exists: true, 412),
        WriteRow("DELETE weak", "DELETE", ["If-Match: W/{E}"], exists: true, 412),
        // Partial PUT is not supported (RFC 9110 §14.5).
        WriteRow("Content-Range", "PUT", ["Content-Range: bytes 0-13/14"], exists: true, 400),
        WriteRow("Content-Range absent", "PUT", ["Content-Range: bytes 0-13/100"], exists: false, 400),
        WriteRow("Content-Encoding", "PUT", ["Content-Encoding: gzip"], exists: true, 415),
        WriteRow("Range", "PUT", ["Range: bytes=0-1"], exists: true, 204),
    ]
}
