/// An unusual or faulty response.
struct Fault: Sendable {
    /// Changes the request that the server responds to.
    var changeRequest: @Sendable (inout FaultRequest) -> Void = { _ in }
    /// Changes the response.
    var changeResponse: @Sendable (inout FaultResponse, FaultRequest, OfferedFile) -> Void = { _, _, _ in }

    static func changingRequest(_ change: @escaping @Sendable (inout FaultRequest) -> Void) -> Fault {
        Fault(changeRequest: change)
    }

    static func changingResponse(_ change: @escaping @Sendable (inout FaultResponse, FaultRequest, OfferedFile) -> Void)
        -> Fault
    {
        Fault(changeResponse: change)
    }
}

/// A fault and the requests to which it applies.
struct FaultRule: Sendable {
    let applies: @Sendable (FaultRequest) -> Bool
    let fault: Fault

    static func always(_ fault: Fault) -> FaultRule { FaultRule(applies: { _ in true }, fault: fault) }

    /// The first requests of any kind.
    static func first(_ count: Int = 1, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.number <= count }, fault: fault)
    }

    /// All requests except the first ones.
    static func after(_ count: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.number > count }, fault: fault)
    }

    static func every(_ period: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.number % period == 0 }, fault: fault)
    }

    /// The first requests that start after the first byte.
    static func resumed(_ count: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.resumed > 0 && $0.resumed <= count }, fault: fault)
    }

    static func resumed(_ fault: Fault) -> FaultRule { resumed(.max, fault) }

    /// Requests that arrive while this many others are in progress.
    static func besides(_ others: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.busy >= others }, fault: fault)
    }

    /// Requests to the address given to the client, or to the other one.
    static func origin(_ number: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.origin == number }, fault: fault)
    }

    /// Requests whose path ends with `end`.
    static func path(_ end: String, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.path.hasSuffix(end) }, fault: fault)
    }
}

/// The file and the faults of a fault server.
struct FaultPlan: Sendable {
    /// The time at which one version of the file replaces another.
    enum Replacement: Sendable {
        case never
        /// After this many bytes of bodies.
        case afterBytes(Int, OfferedFile)
        /// The same, but responses in progress continue with bytes of the new version, because the file was overwritten
        /// in place.
        case inPlace(Int, OfferedFile)
    }

    var file: OfferedFile
    var replacement = Replacement.never
    /// All matching rules are applied in order.
    var rules: [FaultRule] = []
    /// The number of bytes of bodies after which nothing is sent on any connection.
    var silentAfter = Int.max

    init(_ file: OfferedFile, _ rules: [FaultRule] = [], replacement: Replacement = .never) {
        (self.file, self.rules, self.replacement) = (file, rules, replacement)
    }

    /// A server that sends part of a file, and then nothing.
    static func silent(_ file: OfferedFile, after bytes: Int) -> FaultPlan {
        var plan = FaultPlan(file)
        plan.silentAfter = bytes
        return plan
    }

    /// The version of the file after `served` bytes have been sent.
    func version(at served: Int) -> OfferedFile {
        switch replacement {
        case .never: file
        case .afterBytes(let count, let next), .inPlace(let count, let next): served >= count ? next : file
        }
    }

    func response(to request: FaultRequest, served: Int) -> FaultResponse {
        var changed = request
        let matching = rules.filter { $0.applies(request) }
        for rule in matching { rule.fault.changeRequest(&changed) }
        let file = version(at: served)
        var response = FaultResponse.honest(changed, file)
        for rule in matching { rule.fault.changeResponse(&response, request, file) }
        return response
    }
}
