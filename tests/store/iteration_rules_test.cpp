#include "core/store/rules/iteration_rules.h"

#include <doctest/doctest.h>

#include <string>

using namespace tv;

TEST_CASE("iteration_rules: category and name decide whether a slice marks a step, a range or a part") {
  struct Case {
    const char *category, *name;
    IterationMark mark;
  };
  const Case cases[] = {
      {"user_annotation", "ProfilerStep#12", IterationMark::ProfilerStep},
      {"gpu_user_annotation", "ProfilerStep#12", IterationMark::ProfilerStep},
      {"Operator", "ProfilerStep#0", IterationMark::ProfilerStep},  // kineto of 2021
      {"kernel", "ProfilerStep#0", IterationMark::None},
      {"nvtx", "iteration 7", IterationMark::Step},
      {"nvtx", "global_step: 7", IterationMark::Step},
      {"user_annotation", "Training Step 3", IterationMark::Step},
      {"user_annotation", "step[DECODE bs=32 toks=32]", IterationMark::Step},
      {"user_annotation", "execute_32_context_0(sq0sk0)_generation_32(sq32sk5)", IterationMark::Step},
      {"user_annotation", "## forward ##", IterationMark::Range},
      {"user_annotation", "my_step_helper", IterationMark::Range},
      {"user_annotation", "aten::to", IterationMark::Part},
      {"user_annotation", "nccl:all_to_all", IterationMark::Part},
      {"user_annotation", "gloo:all_reduce", IterationMark::Part},
      {"user_annotation", "Optimizer.step#Adam.step", IterationMark::Range},  // once per step
      {"user_annotation", "Optimizer.zero_grad#Adam.zero_grad", IterationMark::Part},
      {"user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", IterationMark::Part},
      {"cpu_op", "aten::to", IterationMark::None},
      {"python_function", "step 3", IterationMark::None},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.category));
    CAPTURE(std::string(c.name));
    CHECK(iteration_mark(c.category, c.name) == c.mark);
  }
}

TEST_CASE("iteration_rules: engine steps of one kind get the same name, whatever numbers they contain") {
  CHECK(repeated_name("step[DECODE bs=32 toks=32]") == repeated_name("step[DECODE bs=7 toks=7]"));
  CHECK(repeated_name("step[DECODE bs=32 toks=32]") != repeated_name("step[EXTEND bs=32 toks=4096]"));
  CHECK(repeated_name("execute_32_context_0(a)_generation_32(b)") ==
        repeated_name("execute_8_context_1(c)_generation_7(d)"));
  CHECK(repeated_name("execution plan 3") == "execution plan");
}
