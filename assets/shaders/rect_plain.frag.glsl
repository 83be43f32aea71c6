#version 330 core
// A slice without any style, as nearly all are: on a software driver half the price of asking which it has.

flat in vec4 v_color;

out vec4 color;

void main() { color = v_color; }
