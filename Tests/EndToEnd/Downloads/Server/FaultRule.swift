/// A way to answer that is not what the client hopes for.
struct Fault: Sendable {
    /// Changes what the server believes to have been asked.
    var request: @Sendable (inout FaultRequest) -> Void = { _ in }
    /// Changes the answer.
    var answer: @Sendable (inout FaultAnswer, FaultRequest, OfferedFile) -> Void = { _, _, _ in }

    static func asking(_ change: @escaping @Sendable (inout FaultRequest) -> Void) -> Fault { Fault(request: change) }

    static func answering(_ change: @escaping @Sendable (inout FaultAnswer, FaultRequest, OfferedFile) -> Void)
        -> Fault
    {
        Fault(answer: change)
    }
}

/// A fault and the requests it happens to.
struct FaultRule: Sendable {
    let applies: @Sendable (FaultRequest) -> Bool
    let fault: Fault

    static func always(_ fault: Fault) -> FaultRule { FaultRule(applies: { _ in true }, fault: fault) }

    /// The first requests, whatever they ask for.
    static func first(_ count: Int = 1, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.number <= count }, fault: fault)
    }

    /// All requests but the first ones.
    static func after(_ count: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.number > count }, fault: fault)
    }

    static func every(_ period: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.number % period == 0 }, fault: fault)
    }

    /// So many requests that start behind the first byte.
    static func resumed(_ count: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.resumed > 0 && $0.resumed <= count }, fault: fault)
    }

    static func resumed(_ fault: Fault) -> FaultRule { resumed(.max, fault) }

    /// Requests that come while so many others are being answered.
    static func besides(_ others: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.busy >= others }, fault: fault)
    }

    /// Requests for the file at the address the client was given, or at the other one.
    static func origin(_ number: Int, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.origin == number }, fault: fault)
    }

    /// Requests by the end of their path.
    static func path(_ end: String, _ fault: Fault) -> FaultRule {
        FaultRule(applies: { $0.path.hasSuffix(end) }, fault: fault)
    }
}

/// What a fault server offers and does.
struct FaultPlan: Sendable {
    /// When one version of the file takes the place of another.
    enum Replacement: Sendable {
        case never
        /// After so many bytes of bodies.
        case afterBytes(Int, OfferedFile)
        /// The same, but responses in progress continue with the new file's bytes, because the file was overwritten in place.
        case inPlace(Int, OfferedFile)
    }

    var file: OfferedFile
    var replacement = Replacement.never
    /// All that apply change the answer, one after the other.
    var rules: [FaultRule] = []
    /// After so many bytes of bodies nothing comes any more, on any connection.
    var silentAfter = Int.max

    init(_ file: OfferedFile, _ rules: [FaultRule] = [], replacement: Replacement = .never) {
        (self.file, self.rules, self.replacement) = (file, rules, replacement)
    }

    /// A server that sends a part of a file, and then nothing.
    static func silent(_ file: OfferedFile, after bytes: Int) -> FaultPlan {
        var plan = FaultPlan(file)
        plan.silentAfter = bytes
        return plan
    }

    /// The version that is there when so many bytes have gone out.
    func version(at served: Int) -> OfferedFile {
        switch replacement {
        case .never: file
        case .afterBytes(let count, let next), .inPlace(let count, let next): served >= count ? next : file
        }
    }

    func answer(_ request: FaultRequest, served: Int) -> FaultAnswer {
        var asked = request
        let matching = rules.filter { $0.applies(request) }
        for rule in matching { rule.fault.request(&asked) }
        let file = version(at: served)
        var answer = FaultAnswer.honest(asked, file)
        for rule in matching { rule.fault.answer(&answer, request, file) }
        return answer
    }
}
